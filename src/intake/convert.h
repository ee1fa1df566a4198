#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "intake/mapping.h"

namespace waybill::intake {

// What becomes of the values of a column: of the mapping's word and the column's type.
struct Conversion {
  Kind kind = Kind::text;
  Kind element = Kind::text;  // of a list or a set
  Precision precision = Precision::milliseconds;
};

// `column_type` is the OID of a PostgreSQL type; those that are not known are texts.
Conversion choose_conversion(const Attribute& attribute, uint32_t column_type);

// Appends the value (see item/value.h) that a column's text becomes. False, and nothing is appended, where
// there is none: JSON's null, and sets without members. Error invalid says why the text cannot become one.
Result<bool> append_converted(std::string& out, const Conversion& conversion, std::string_view text);

}  // namespace waybill::intake
