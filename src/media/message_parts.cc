#include "media/message_parts.h"

namespace waybill::media {

namespace {

Error wrong(std::string_view name, std::string_view what) {
  return invalid("\"" + std::string(name) + "\" must be " + std::string(what));
}

}  // namespace

Result<json::Value> object_member(const json::Value& object, std::string_view name) {
  const auto member = object.find(name);
  if (!member || !member->is_object()) {
    return wrong(name, "an object");
  }
  return *member;
}

Result<std::string> text_member(const json::Value& object, std::string_view name) {
  const auto member = object.find(name);
  if (!member || !member->is_string()) {
    return wrong(name, "a text");
  }
  return std::string(member->string());
}

Result<int64_t> integer_member(const json::Value& object, std::string_view name, int64_t min, int64_t max) {
  const auto member = object.find(name);
  const auto number = member && member->type() == json::Type::number ? member->integer() : std::nullopt;
  if (!number || *number < min || *number > max) {
    return wrong(name, "a whole number from " + std::to_string(min) + " to " + std::to_string(max));
  }
  return *number;
}

Result<bool> boolean_member(const json::Value& object, std::string_view name) {
  const auto member = object.find(name);
  if (!member || member->type() != json::Type::boolean) {
    return wrong(name, "true or false");
  }
  return member->boolean();
}

}  // namespace waybill::media
