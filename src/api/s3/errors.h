#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

// Errors in the words of S3. The only place that knows them.
namespace waybill::api::s3 {

struct ErrorForm {
  int status = 400;
  std::string_view code;
};

// By the error's detail, where that is a code of the service; else by its kind.
ErrorForm error_form(const Error& error);

// What the caller is told: the message, unless it is for the operator alone.
std::string told_message(const Error& error);

// <Error><Code>…
std::string error_body(const Error& error, std::string_view resource, std::string_view request_id);

}  // namespace waybill::api::s3
