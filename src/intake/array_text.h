#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace waybill::intake {

// A PostgreSQL array, or one element of it.
struct ArrayNode {
  bool is_array = false;
  bool is_null = false;
  std::string text;              // of an element
  std::vector<ArrayNode> nodes;  // of an array
};

// Reads an array as PostgreSQL prints it: {a,"b c",NULL,{d}}, maybe with bounds before it. Error invalid
// where it is none.
Result<ArrayNode> parse_array(std::string_view text);

// The same the other way: one element after the other, each in quotes.
std::string array_text(const std::vector<std::string>& elements);

}  // namespace waybill::intake
