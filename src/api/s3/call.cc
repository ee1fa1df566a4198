#include "api/s3/call.h"

#include "api/s3/cors.h"
#include "api/s3/errors.h"
#include "base/log.h"

namespace waybill::api::s3 {
namespace {

constexpr std::string_view xml_type = "application/xml";

http::Response with_common_headers(const Services& services, const Request& request, std::string request_id,
                                   http::Response response) {
  response.headers.emplace_back("x-amz-request-id", std::move(request_id));
  add_cors_headers(request, services.accepts_any, response);
  return response;
}

}  // namespace

Status Call::check_object(access::Verb verb, std::string_view bucket, std::string_view key) const {
  if (policy() == nullptr || policy()->may_use_object(verb, bucket, key)) {
    return {};
  }
  return Error{ErrorKind::access_denied, "Access Denied", "AccessDenied"};
}

http::Response xml_response(Xml xml) {
  http::Response response;
  response.content_type = xml_type;
  response.body = std::move(xml).take();
  return response;
}

http::Response refusal(const Services& services, const Request& request, const Error& error) {
  std::string request_id = make_request_id(services.entropy).substr(0, 16);
  http::Response response;
  response.status = error_form(error).status;
  if (response.status >= 500) {
    log_error(error.message + (error.detail.empty() ? "" : ": " + error.detail));
  }
  response.content_type = xml_type;
  response.body = error_body(error, request.path, request_id);
  return with_common_headers(services, request, std::move(request_id), std::move(response));
}

http::Response Call::finished(http::Response response) const {
  return with_common_headers(*services_, request_, make_request_id(services_->entropy).substr(0, 16),
                             std::move(response));
}

http::Response Call::failure(const Error& error) const {
  return refusal(*services_, request_, error);
}

void Call::answer(http::Response response) {
  responder_.send(finished(std::move(response)));
}

void Call::answer_xml(Xml xml) {
  answer(xml_response(std::move(xml)));
}

void Call::answer_empty(int status) {
  http::Response response;
  response.status = status;
  answer(std::move(response));
}

void Call::fail(const Error& error) {
  responder_.send(failure(error));
}

http::Stream Call::answer_stream(http::Response head, http::StreamOptions options) {
  return responder_.send_stream(finished(std::move(head)), std::move(options));
}

}  // namespace waybill::api::s3
