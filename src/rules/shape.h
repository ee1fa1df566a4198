#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "item/value.h"
#include "rules/plan.h"

namespace waybill::rules {

// What is wrong with a value: which rule, where, and in words.
struct Flaw {
  std::string rule;  // "type", "one_of", "required", "min" …
  std::string path;  // "error.code", "labels[2].confidence"
  std::string text;  // "is a number, and must be a string"
};

// Whether a value is what its field says, all the way down.
std::optional<Flaw> check_shape(const FieldPlan& field, item::ValueView value, const std::string& path);

// The value with what is missing in its maps, and without what is not kept here. Appends nothing, and says
// false, where that is the value as it is.
bool complete(std::string& out, const FieldPlan& field, item::ValueView value);

}  // namespace waybill::rules
