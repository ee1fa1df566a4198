#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "http/message.h"

// Errors as RFC 9457 has them. The only place that knows which kind of error has which status.
namespace waybill::api::jobs {

struct ProblemForm {
  int status = 400;
  std::string_view name;  // the end of its type: ".../problems/lease-lost"
  std::string_view title;
  enum class Detail : unsigned char { none, rule, field };
  Detail detail = Detail::none;  // what Error::detail holds, where the caller is told
};

ProblemForm problem_form(ErrorKind kind);

// What types of problems begin with.
inline constexpr std::string_view problem_base = "urn:x-waybill:/problems/";

// {"type":"…/lease-lost","title":"…","status":409,"detail":"…","rule":"moves"}
http::Response problem_response(const Error& error);
http::Response problem_response(const ProblemForm& form, const Error& error);

}  // namespace waybill::api::jobs
