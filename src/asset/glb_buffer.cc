#include "asset/glb_buffer.h"

namespace waybill::asset::glb {

int64_t Buffer::add_view(std::string_view bytes, int64_t target) {
  if (view_count_ > 0) {
    views_.push_back(',');
  }
  json::Writer out(views_);
  out.begin_object().key("buffer").integer(0);
  out.key("byteOffset").integer(static_cast<int64_t>(bytes_.size()));
  out.key("byteLength").integer(static_cast<int64_t>(bytes.size()));
  if (target != 0) {
    out.key("target").integer(target);
  }
  out.end_object();
  bytes_.append(bytes);
  bytes_.append((4 - bytes_.size() % 4) % 4, '\0');
  return view_count_++;
}

int64_t Buffer::add(std::string_view bytes, const Description& description) {
  const int64_t view = add_view(bytes, description.target);
  if (accessor_count_ > 0) {
    accessors_.push_back(',');
  }
  json::Writer out(accessors_);
  out.begin_object().key("bufferView").integer(view);
  out.key("componentType").integer(description.component);
  out.key("count").integer(static_cast<int64_t>(description.count));
  out.key("type").string(description.type);
  accessors_.append(description.bounds_json);
  out.end_object();
  return accessor_count_++;
}

void Buffer::write(json::Writer& out) const {
  out.key("buffers").begin_array().begin_object();
  out.key("byteLength").integer(static_cast<int64_t>(bytes_.size())).end_object().end_array();
  out.key("bufferViews").begin_array().raw(views_).end_array();
  out.key("accessors").begin_array().raw(accessors_).end_array();
}

}  // namespace waybill::asset::glb
