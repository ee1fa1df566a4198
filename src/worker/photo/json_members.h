#pragma once

#include <optional>
#include <string_view>

#include "base/json.h"

// Members of answers that others wrote: anything may be absent, or something else than it should be.
namespace waybill::worker::photo {

inline std::optional<json::Value> member(const json::Value& object, std::string_view name) {
  return object.is_object() ? object.find(name) : std::nullopt;
}

// "" where there is none, or it is no text.
inline std::string_view text_of(const json::Value& object, std::string_view name) {
  const auto found = member(object, name);
  return found && found->is_string() ? found->string() : std::string_view();
}

}  // namespace waybill::worker::photo
