#include "api/sqs/call.h"

#include "api/sqs/errors.h"
#include "api/sqs/xml.h"
#include "base/log.h"

namespace waybill::api::sqs {
namespace {

constexpr std::string_view json_type = "application/x-amz-json-1.0";
constexpr std::string_view xml_type = "text/xml";

// <OperationResponse><OperationResult>…</OperationResult><ResponseMetadata>…; no result where it is empty.
std::string xml_body(std::string_view operation, std::string_view fields, std::string_view request_id) {
  std::string body(xml_declaration);
  body.reserve(fields.size() + 320);
  body.append("<").append(operation).append("Response xmlns=\"").append(xml_namespace).append("\">");
  if (!fields.empty()) {
    body.append("<").append(operation).append("Result>").append(fields);
    body.append("</").append(operation).append("Result>");
  }
  body.append("<ResponseMetadata>");
  append_xml_element(body, "RequestId", request_id);
  body.append("</ResponseMetadata></").append(operation).append("Response>");
  return body;
}

// "User: arn:aws:iam::000000000000:user/KEY is not authorized to perform: sqs:sendmessage on resource: …"
std::string denial(const Services& services, std::string_view key_id, std::string_view operation,
                   std::string_view resource) {
  std::string action = "sqs:";
  for (const char c : operation) {
    action.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  const auto name = resource.starts_with("queue/") ? resource.substr(resource.find('/') + 1) : "*";
  std::string text = "User: arn:aws:iam::";
  text.append(services.account_id).append(":user/").append(key_id);
  text.append(" is not authorized to perform: ").append(action).append(" on resource: ");
  text.append(services.queue_arn(name)).append(" because no identity-based policy allows the ");
  return text.append(action).append(" action");
}

}  // namespace

Call::Call(const Services& services, http::VerifiedPrincipal principal, http::Responder responder,
           const Client& client)
    : services_(&services),
      principal_(std::move(principal)),
      responder_(std::move(responder)),
      client_(client) {
  if (principal_.policy() != nullptr) {
    restricted_ = std::make_unique<store::RestrictedQueues>(*services.unguarded_queues, principal_.policy());
  }
}

Status Call::check(access::Verb verb, std::string_view queue) const {
  return restricted_ ? restricted_->check(verb, queue) : Status();
}

std::string Services::queue_arn(std::string_view name) const {
  std::string arn = "arn:aws:sqs:";
  return arn.append(region).append(":").append(account_id).append(":").append(name);
}

std::string Call::queue_url(std::string_view name) const {
  std::string url = "http://";
  url.append(client_.host.empty() ? std::string_view(services_->endpoint) : client_.host);
  return url.append("/").append(services_->account_id).append("/").append(name);
}

void Call::answer(Answer answer) {
  const bool is_json = client_.protocol == Protocol::json;
  http::Response response;
  response.request_id = make_uuid4(services_->entropy);
  response.content_type = is_json ? json_type : xml_type;
  response.body = std::move(answer).take();
  if (!is_json) {
    response.body = xml_body(client_.operation, response.body, response.request_id);
  }
  responder_.send(std::move(response));
}

void Call::fail(const Error& error) {
  if (error.kind == ErrorKind::access_denied && error.message.empty()) {
    fail({error.kind, denial(*services_, principal_.access_key_id(), client_.operation, error.detail), {}});
    return;
  }
  send_failure(*services_, std::move(responder_), client_.protocol, error);
}

void Call::answer(Result<Answer> result) {
  if (result) {
    answer(*std::move(result));
  } else {
    fail(result.error());
  }
}

void send_failure(const Services& services, http::Responder responder, Protocol protocol,
                  const Error& error) {
  http::Response response;
  response.status = error_form(error.kind).status;
  if (response.status >= 500) {
    log_error(error.message + (error.detail.empty() ? "" : ": " + error.detail));
  }
  response.request_id = make_uuid4(services.entropy);
  if (protocol == Protocol::json) {
    response.content_type = json_type;
    response.body = json_error_body(error);
    response.headers.emplace_back("x-amzn-query-error", query_error(error.kind));
  } else {
    response.content_type = xml_type;
    response.body = xml_error_body(error, response.request_id);
  }
  responder.send(std::move(response));
}

}  // namespace waybill::api::sqs
