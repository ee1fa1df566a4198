#include "worker/json_text.h"

namespace waybill::worker {

void append_json(std::string& out, const json::Value& value) {
  json::Writer writer(out);
  switch (value.type()) {
    case json::Type::null:
      writer.raw("null");
      break;
    case json::Type::boolean:
      writer.boolean(value.boolean());
      break;
    case json::Type::number:
      if (const auto whole = value.integer()) {
        writer.integer(*whole);
      } else {
        writer.real(value.number());
      }
      break;
    case json::Type::string:
      writer.string(value.string());
      break;
    case json::Type::array:
      writer.begin_array();
      for (json::Elements each(value); each.next();) {
        append_json(writer.value_place(), each.value());
      }
      writer.end_array();
      break;
    case json::Type::object:
      writer.begin_object();
      for (json::Members each(value); each.next();) {
        append_json(writer.key(each.key()).value_place(), each.value());
      }
      writer.end_object();
      break;
  }
}

}  // namespace waybill::worker
