#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "table/table.h"

namespace waybill::table {

// Reads members of one object; the first that is missing or of a wrong type is kept as the error.
class MemberReader {
 public:
  MemberReader(const json::Value& object, std::string& problem) : object_(object), problem_(&problem) {}

  std::string string(std::string_view name) const {
    const auto value = find(name, json::Type::string);
    return value ? std::string(value->string()) : std::string();
  }
  int64_t integer(std::string_view name) const {
    const auto value = find(name, json::Type::number);
    return value ? value->integer().value_or(0) : 0;
  }
  SpaceId space(std::string_view name) const { return static_cast<SpaceId>(integer(name)); }
  double real(std::string_view name) const {
    const auto value = find(name, json::Type::number);
    return value ? value->number() : 0;
  }
  std::optional<int64_t> maybe_integer(std::string_view name) const {
    return has(name) ? std::optional(integer(name)) : std::nullopt;
  }
  bool boolean(std::string_view name) const {
    const auto value = find(name, json::Type::boolean);
    return value && value->boolean();
  }
  std::optional<MemberReader> object(std::string_view name) const {
    const auto value = find(name, json::Type::object);
    return value ? std::optional(MemberReader(*value, *problem_)) : std::nullopt;
  }
  std::optional<json::Value> array(std::string_view name) const { return find(name, json::Type::array); }
  bool has(std::string_view name) const { return object_.find(name).has_value(); }
  MemberReader element(const json::Value& value) const {
    if (!value.is_object()) {
      fail("an element that is not an object");
    }
    return MemberReader(value, *problem_);
  }
  void fail(std::string_view what) const {
    if (problem_->empty()) {
      *problem_ = what;
    }
  }

 private:
  std::optional<json::Value> find(std::string_view name, json::Type type) const {
    auto value = object_.is_object() ? object_.find(name) : std::nullopt;
    if (value && value->type() == type) {
      return value;
    }
    fail(name);
    return std::nullopt;
  }

  json::Value object_;
  std::string* problem_;
};

}  // namespace waybill::table
