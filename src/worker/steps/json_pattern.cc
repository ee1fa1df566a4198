#include "worker/steps/json_pattern.h"

#include "worker/json_text.h"

namespace waybill::worker::steps {
namespace {

Status append_text(std::string& out, const Pattern& pattern, const Values& values) {
  if (pattern.is_one_value()) {
    const auto& path = pattern.parts().front().text;
    const auto value = values.find(path);
    if (!value) {
      return invalid("there is no value {" + path + "}");
    }
    append_json(out, *value);
    return {};
  }
  WAYBILL_TRY_ASSIGN(const auto text, values.text(pattern));
  json::append_string(out, text);
  return {};
}

}  // namespace

Status append_filled(std::string& out, const JsonPattern& pattern, const Values& values) {
  json::Writer writer(out);
  switch (pattern.kind) {
    case JsonPattern::Kind::literal:
      writer.raw(pattern.literal);
      return {};
    case JsonPattern::Kind::text:
      return append_text(out, pattern.text, values);
    case JsonPattern::Kind::list:
      writer.begin_array();
      for (const auto& item : pattern.items) {
        WAYBILL_TRY(append_filled(writer.value_place(), item, values));
      }
      writer.end_array();
      return {};
    case JsonPattern::Kind::map:
      break;
  }
  writer.begin_object();
  for (std::size_t at = 0; at < pattern.items.size(); ++at) {
    WAYBILL_TRY(append_filled(writer.key(pattern.names[at]).value_place(), pattern.items[at], values));
  }
  writer.end_object();
  return {};
}

}  // namespace waybill::worker::steps
