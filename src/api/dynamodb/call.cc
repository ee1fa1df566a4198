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

// "User: arn:aws:iam::000000000000:user/KEY is not authorized to perform: dynamodb:GetItem on resource: …"
std::string denial(const Services& services, std::string_view key_id, const CallWords& words,
                   std::string_view resource) {
  const std::string action = std::string(words.action_prefix).append(words.operation);
  std::string text = "User: arn:aws:iam::";
  text.append(services.account_id).append(":user/").append(key_id);
  text.append(" is not authorized to perform: ").append(action).append(" on resource: ");
  if (resource.starts_with("queue/")) {
    text.append("arn:aws:sqs:").append(services.region).append(":").append(services.account_id).append(":");
    text.append(resource.substr(resource.find('/') + 1));
  } else if (resource.starts_with("table/")) {
    text.append(services.table_arn(resource.substr(resource.find('/') + 1)));
  } else {
    text.append("*");
  }
  return text.append(" because no identity-based policy allows the ").append(action).append(" action");
}

}  // namespace

Call::Call(const Services& services, http::VerifiedPrincipal principal, http::Responder responder,
           const CallWords& words)
    : services_(&services),
      principal_(std::move(principal)),
      responder_(std::move(responder)),
      words_(words) {
  if (principal_.policy() != nullptr) {
    restricted_ = std::make_unique<store::RestrictedStore>(services.unguarded_store, principal_.policy(),
                                                           principal_.access_key_id());
  }
}

Error Call::worded(Error error) const {
  if (error.kind == ErrorKind::access_denied && error.message.empty()) {
    error.message = denial(*services_, principal_.access_key_id(), words_, error.detail);
  }
  return error;
}

std::string Services::table_arn(std::string_view table_name) const {
  std::string arn = "arn:aws:dynamodb:";
  return arn.append(region).append(":").append(account_id).append(":table/").append(table_name);
}

std::string Services::stream_arn(std::string_view table_name, std::string_view label) const {
  return table_arn(table_name).append("/stream/").append(label);
}

void Call::answer(std::string body) {
  responder_.send(response(*services_, words_.content_type, 200, std::move(body)));
}

void Call::fail(const Error& error) {
  if (error.kind == ErrorKind::access_denied) {
    const Error told = worded(error);
    fail_with_body(error_form(told.kind).status, error_body(told));
    return;
  }
  const int status = error_form(error.kind).status;
  if (status >= 500) {
    log_error(error.message + (error.detail.empty() ? "" : ": " + error.detail));
  }
  fail_with_body(status, error_body(error));
}

void Call::answer(Result<std::string> result) {
  if (result) {
    answer(*std::move(result));
  } else {
    fail(result.error());
  }
}

void Call::fail_with_body(int status, std::string body) {
  responder_.send(response(*services_, words_.content_type, status, std::move(body)));
}

}  // namespace waybill::api::dynamodb
