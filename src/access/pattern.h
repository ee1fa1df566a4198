#pragma once

#include <string>
#include <string_view>

namespace waybill::access {

// A name; or where it was written with '*' at its end, all that begin so.
struct Pattern {
  std::string text;  // without the '*'
  bool is_beginning = false;

  bool matches(std::string_view name) const { return is_beginning ? name.starts_with(text) : name == text; }
};

}  // namespace waybill::access
