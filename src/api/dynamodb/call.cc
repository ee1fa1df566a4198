#include "api/dynamodb/call.h"

#include "api/dynamodb/errors.h"
#include "base/log.h"

namespace waybill::api::dynamodb {
namespace {

http::Response response(const Services& services, std::string_view content_type, int status,
                        std::string body) {
  http::Response answer;
  answer.status = status;
  answer.content_type = content_type;
  answer.body = std::move(body);
  answer.request_id = make_request_id(services.entropy);
  answer.amz_crc32 = true;
  return answer;
}

}  // namespace

std::string Services::table_arn(std::string_view table_name) const {
  std::string arn = "arn:aws:dynamodb:";
  return arn.append(region).append(":").append(account_id).append(":table/").append(table_name);
}

std::string Services::stream_arn(std::string_view table_name, std::string_view label) const {
  return table_arn(table_name).append("/stream/").append(label);
}

void Call::answer(std::string body) {
  responder_.send(response(*services_, content_type_, 200, std::move(body)));
}

void Call::fail(const Error& error) {
  const int status = error_form(error.kind).status;
  if (status >= 500) {
    log_error(error.message + (error.detail.empty() ? "" : ": " + error.detail));
  }
  responder_.send(response(*services_, content_type_, status, error_body(error)));
}

void Call::answer(Result<std::string> result) {
  if (result) {
    answer(*std::move(result));
  } else {
    fail(result.error());
  }
}

void Call::fail_with_body(int status, std::string body) {
  responder_.send(response(*services_, content_type_, status, std::move(body)));
}

}  // namespace waybill::api::dynamodb
