#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

// Kinds of errors in the words of the service. The only place that knows them.
namespace waybill::api::dynamodb {

struct ErrorForm {
  int status = 400;
  std::string_view type;  // as in __type
};

ErrorForm error_form(ErrorKind kind);

// {"__type":"…#ValidationException","message":"…"}. What the operator alone should know is left out.
std::string error_body(const Error& error);

// The same for a type that no kind stands for: "TableNotFoundException".
std::string error_body(std::string_view service_type, std::string_view message);

}  // namespace waybill::api::dynamodb
