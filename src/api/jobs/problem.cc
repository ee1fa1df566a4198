#include "api/jobs/problem.h"

#include "base/json.h"
#include "base/log.h"

namespace waybill::api::jobs {
namespace {

using Detail = ProblemForm::Detail;

// The texts of what went wrong here are for the operator.
constexpr std::string_view ours = "This is no fault of the request. Try again; the server's log says more.";

}  // namespace

ProblemForm problem_form(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::malformed:
      return {400, "malformed", "The request cannot be read", Detail::field};
    case ErrorKind::missing_authentication:
    case ErrorKind::incomplete_signature:
    case ErrorKind::invalid_signature:
    case ErrorKind::unknown_client:
      return {401, "unauthenticated", "The request does not say who sends it, or not provably"};
    case ErrorKind::access_denied:
      return {403, "forbidden", "The caller may not do this"};
    case ErrorKind::not_found:
    case ErrorKind::table_not_found:
    case ErrorKind::queue_not_found:
      return {404, "not-found", "There is nothing of that name"};
    case ErrorKind::unknown_operation:
    case ErrorKind::unsupported:
      return {404, "unknown-operation", "There is no such operation"};
    case ErrorKind::condition_failed:
      return {409, "conflict", "The record's state does not allow it", Detail::rule};
    case ErrorKind::record_exists:
    case ErrorKind::duplicate_item:
      return {409, "exists", "There is a record with that id"};
    case ErrorKind::key_in_use:
      return {409, "key-in-use", "The idempotency key stands for another request"};
    case ErrorKind::lease_lost:
    case ErrorKind::receipt_invalid:
    case ErrorKind::message_not_in_flight:
      return {409, "lease-lost", "The lease is over: somebody else has the job, or nobody"};
    case ErrorKind::version_mismatch:
      return {412, "changed", "The record is another than the caller has seen"};
    case ErrorKind::too_large:
      return {413, "too-large", "The request is too large"};
    case ErrorKind::invalid:
    case ErrorKind::parameter_missing:
    case ErrorKind::token_mismatch:
      return {422, "invalid", "The request breaks a rule of the contract", Detail::field};
    case ErrorKind::quota_exceeded:
    case ErrorKind::limit_exceeded:
    case ErrorKind::too_many_in_flight:
      return {429, "quota", "There is too much already"};
    case ErrorKind::unavailable:
      return {503, "unavailable", "The server cannot do this now"};
    default:
      return {500, "internal", "Something went wrong in the server"};
  }
}

http::Response problem_response(const Error& error) {
  return problem_response(problem_form(error.kind), error);
}

http::Response problem_response(const ProblemForm& form, const Error& error) {
  http::Response response;
  response.status = form.status;
  response.content_type = "application/problem+json";
  json::Writer writer(response.body);
  writer.begin_object().key("type").string(std::string(problem_base).append(form.name));
  writer.key("title").string(form.title).key("status").integer(form.status);
  if (form.status == 500) {
    log_error("jobs: " + error.message + (error.detail.empty() ? "" : ": " + error.detail));
    writer.key("detail").string(ours);
  } else if (!error.message.empty()) {
    writer.key("detail").string(error.message);
  }
  if (form.detail != Detail::none && !error.detail.empty()) {
    writer.key(form.detail == Detail::rule ? "rule" : "field").string(error.detail);
  }
  writer.end_object();
  if (form.status == 401) {
    response.headers.emplace_back("WWW-Authenticate", "Bearer");
  }
  return response;
}

}  // namespace waybill::api::jobs
