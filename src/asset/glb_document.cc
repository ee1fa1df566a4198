#include "asset/glb_document.h"

#include <array>
#include <cstring>

#include "base/bytes.h"

namespace waybill::asset::glb {

namespace {

constexpr int64_t number_max = INT32_MAX;  // files are smaller, so are all offsets and counts

struct Chunk {
  uint32_t type = 0;
  std::string_view data;
};

Result<Chunk> next_chunk(std::string_view& rest) {
  if (rest.size() < chunk_header_bytes) {
    return damaged("it ends too early");
  }
  const std::size_t length = load_u32_le(rest.data());
  if (length > rest.size() - chunk_header_bytes) {
    return damaged("a chunk is longer than the file");
  }
  const Chunk chunk{load_u32_le(rest.data() + 4), rest.substr(chunk_header_bytes, length)};
  rest.remove_prefix(chunk_header_bytes + length);
  return chunk;
}

std::size_t size_of(Component component) {
  return component == unsigned_byte ? 1 : component == unsigned_short ? 2 : 4;
}

std::size_t parts_of(std::string_view type) {
  return type == "SCALAR" ? 1 : type == "VEC2" ? 2 : type == "VEC3" ? 3 : type == "VEC4" ? 4 : 16;
}

Result<Component> component_of(std::size_t number) {
  for (const Component known : {unsigned_byte, unsigned_short, unsigned_int, real}) {
    if (static_cast<int64_t>(number) == known) {
      return known;
    }
  }
  return damaged("an accessor has numbers of an unknown kind");
}

Status check_extensions(const json::Value& root) {
  const auto needed = root.find("extensionsRequired");
  if (!needed || !needed->is_array() || needed->size() == 0) {
    return {};
  }
  json::Elements elements(*needed);
  elements.next();
  const std::string name(elements.value().is_string() ? elements.value().string() : "");
  return invalid("the .glb needs the extension " + name + ", which is not known here; save it without");
}

}  // namespace

Error damaged(const std::string& why) {
  return invalid("the .glb is damaged: " + why);
}

float Elements::number(std::size_t index, std::size_t part) const {
  if (component == real) {
    float value = 0;
    std::memcpy(&value, data + index * stride + part * sizeof(value), sizeof(value));
    return value;
  }
  const auto value = static_cast<float>(whole(index, part));
  const float most = component == unsigned_byte ? UINT8_MAX : static_cast<float>(UINT16_MAX);
  return is_normalized ? value / most : value;
}

uint32_t Elements::whole(std::size_t index, std::size_t part) const {
  uint32_t value = 0;
  std::memcpy(&value, data + index * stride + part * size_of(component), size_of(component));
  return value;
}

Result<std::optional<std::size_t>> whole_member(const json::Value& object, std::string_view name) {
  const auto member = object.find(name);
  if (!member) {
    return std::optional<std::size_t>();
  }
  const auto value = member->type() == json::Type::number ? member->integer() : std::nullopt;
  if (!value || *value < 0 || *value > number_max) {
    return damaged(std::string(name) + " must be a whole number from 0 to " + std::to_string(number_max));
  }
  return std::optional(static_cast<std::size_t>(*value));
}

Result<std::size_t> needed_member(const json::Value& object, std::string_view name) {
  WAYBILL_TRY_ASSIGN(const auto value, whole_member(object, name));
  return value ? Result<std::size_t>(*value) : damaged(std::string(name) + " is missing");
}

Status Document::read(std::string_view file) {
  if (file.size() < header_bytes || load_u32_le(file.data()) != magic) {
    return invalid("the file is not a binary glTF (.glb)");
  }
  if (load_u32_le(file.data() + 4) != version) {
    return invalid("the .glb is not of version 2; convert it");
  }
  if (load_u32_le(file.data() + 8) != file.size()) {
    return damaged("its length is not what its header says");
  }
  std::string_view rest = file.substr(header_bytes);
  WAYBILL_TRY_ASSIGN(const Chunk text, next_chunk(rest));
  if (text.type != json_chunk) {
    return damaged("it does not begin with JSON");
  }
  if (!rest.empty()) {
    WAYBILL_TRY_ASSIGN(const Chunk chunk, next_chunk(rest));
    binary_ = chunk.type == binary_chunk ? chunk.data : std::string_view();
  }
  const auto parsed = parser_.parse_copy(text.data);
  if (!parsed || !parsed->is_object()) {
    return damaged("its JSON cannot be read");
  }
  root_ = *parsed;
  return check_extensions(root_);
}

std::size_t Document::count(std::string_view list) const {
  const auto found = root_.find(list);
  return found && found->is_array() ? found->size() : 0;
}

Result<json::Value> Document::element(std::string_view list, std::size_t index) const {
  if (index < count(list)) {
    json::Elements elements(*root_.find(list));
    for (std::size_t i = 0; elements.next(); ++i) {
      if (i == index && elements.value().is_object()) {
        return elements.value();
      }
    }
  }
  return damaged("there is no element " + std::to_string(index) + " in " + std::string(list));
}

Result<std::vector<json::Value>> Document::all(std::string_view list, std::size_t count_max) const {
  std::vector<json::Value> values;
  if (count(list) > count_max) {
    return invalid("the .glb has more than " + std::to_string(count_max) + " " + std::string(list));
  }
  if (count(list) > 0) {
    json::Elements elements(*root_.find(list));
    while (elements.next()) {
      if (!elements.value().is_object()) {
        return damaged("there is something in " + std::string(list) + " that is not an object");
      }
      values.push_back(elements.value());
    }
  }
  return values;
}

Result<std::string_view> Document::view(std::size_t index) const {
  WAYBILL_TRY_ASSIGN(const auto about, element("bufferViews", index));
  WAYBILL_TRY_ASSIGN(const auto buffer, needed_member(about, "buffer"));
  WAYBILL_TRY_ASSIGN(const auto offset, whole_member(about, "byteOffset"));
  WAYBILL_TRY_ASSIGN(const auto length, needed_member(about, "byteLength"));
  if (buffer != 0) {
    return invalid("the .glb has data in other files; save it in one");
  }
  const std::size_t begin = offset.value_or(0);
  if (begin > binary_.size() || length > binary_.size() - begin) {
    return damaged("a view reaches beyond the data");
  }
  return binary_.substr(begin, length);
}

Result<Elements> Document::elements(std::size_t index, std::string_view type, std::size_t count_max) const {
  WAYBILL_TRY_ASSIGN(const auto about, element("accessors", index));
  const auto named = about.find("type");
  if (!named || !named->is_string() || named->string() != type) {
    return damaged("an accessor is not of type " + std::string(type));
  }
  if (about.find("sparse")) {
    return invalid("the .glb has sparse accessors; save it without");
  }
  WAYBILL_TRY_ASSIGN(const auto view_index, needed_member(about, "bufferView"));
  WAYBILL_TRY_ASSIGN(const auto bytes, view(view_index));
  WAYBILL_TRY_ASSIGN(const auto view_about, element("bufferViews", view_index));
  WAYBILL_TRY_ASSIGN(const auto stride, whole_member(view_about, "byteStride"));
  WAYBILL_TRY_ASSIGN(const auto offset, whole_member(about, "byteOffset"));
  WAYBILL_TRY_ASSIGN(const auto component, needed_member(about, "componentType"));
  Elements elements;
  WAYBILL_TRY_ASSIGN(elements.count, needed_member(about, "count"));
  WAYBILL_TRY_ASSIGN(elements.component, component_of(component));
  const auto normalized = about.find("normalized");
  elements.is_normalized = normalized && normalized->type() == json::Type::boolean && normalized->boolean();
  if (elements.count == 0 || elements.count > count_max) {
    return damaged("an accessor has " + std::to_string(elements.count) + " elements; 1 to " +
                   std::to_string(count_max) + " are read");
  }
  const std::size_t size = size_of(elements.component) * parts_of(type);
  elements.stride = stride.value_or(size);
  const std::size_t begin = offset.value_or(0);
  // Numbers are below 2^31, so these 64 bits do not overflow.
  if (elements.stride < size || begin + (elements.count - 1) * elements.stride + size > bytes.size()) {
    return damaged("an accessor reaches beyond its view");
  }
  elements.data = bytes.data() + begin;
  return elements;
}

}  // namespace waybill::asset::glb
