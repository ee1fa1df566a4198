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

// The short word for it where a request has several parts: in cancellations, and in batches of statements.
std::string_view reason_code(ErrorKind kind);

// What the caller is told: the message, unless it is for the operator alone. Lives as long as the error.
std::string_view told_message(const Error& error);

// {"__type":"…#ValidationException","message":"…"}. What the operator alone should know is left out.
std::string error_body(const Error& error);

// The same for a type that no kind stands for: "TableNotFoundException".
std::string error_body(std::string_view service_type, std::string_view message);

}  // namespace waybill::api::dynamodb
