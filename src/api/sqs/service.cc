#include "api/sqs/service.h"

#include <utility>

#include "api/sqs/form.h"
#include "api/sqs/operations.h"
#include "http/uri.h"

namespace waybill::api::sqs {
namespace {

constexpr std::string_view target_prefix = "AmazonSQS.";

bool is_json_request(const http::Request& request) {
  return request.header("x-amz-target").starts_with(target_prefix);
}

bool is_form(const http::Request& request) {
  const auto type = request.header("content-type");
  return http::equals_ignoring_case(type.substr(0, type.find(';')), "application/x-www-form-urlencoded");
}

bool has_action(std::string_view url_query) {
  return !url_query.empty() && http::count_query_parameters(url_query, "Action") > 0;
}

// A request whose operation is known, with its parameters.
struct Found {
  const NamedOperation* operation = nullptr;
  json::Value parameters;
};

Result<json::Value> as_structure(Result<json::Value> parsed) {
  if (!parsed) {
    return Error{ErrorKind::malformed, "", parsed.error().message};
  }
  if (!parsed->is_object()) {
    return Error{ErrorKind::malformed, "Unexpected field type", {}};
  }
  return parsed;
}

// The parameters live until the thread's next request.
Result<Found> read_json(const http::Request& request) {
  thread_local json::Parser parser;
  Found found;
  found.operation = find_operation(request.header("x-amz-target").substr(target_prefix.size()));
  if (found.operation == nullptr) {
    return Error{ErrorKind::unknown_operation, "", {}};
  }
  WAYBILL_TRY_ASSIGN(found.parameters, as_structure(parser.parse(request.body)));
  return found;
}

Result<Found> read_query(const http::Request& request) {
  thread_local json::Parser parser;
  WAYBILL_TRY_ASSIGN(const auto form, read_form(request.query, is_form(request) ? request.body : ""));
  Found found;
  found.operation = find_operation(form.action);
  if (found.operation == nullptr) {
    return Error{ErrorKind::unknown_operation,
                 "The action " + form.action.substr(0, 80) + " is not valid for this endpoint.",
                 {}};
  }
  WAYBILL_TRY_ASSIGN(found.parameters, as_structure(parser.parse_copy(form.json)));
  return found;
}

}  // namespace

bool Service::is_for(const http::Request& request) {
  return is_json_request(request) || has_action(request.query) ||
         (request.method == "POST" && is_form(request));
}

void Service::handle(const http::Request& request, http::Responder responder) const {
  const auto protocol = is_json_request(request) ? Protocol::json : Protocol::query;
  auto principal = verifier_.verify(request);
  if (!principal) {
    send_failure(services_, std::move(responder), protocol, principal.error());
    return;
  }
  if (services_.unguarded_queues == nullptr) {
    send_failure(services_, std::move(responder), protocol,
                 Error{ErrorKind::unavailable, "This server keeps no queues.", {}});
    return;
  }
  const auto found = protocol == Protocol::json ? read_json(request) : read_query(request);
  if (!found) {
    send_failure(services_, std::move(responder), protocol, found.error());
    return;
  }
  const Client client{protocol, found->operation->name, request.header("host"), request.path,
                      request.header("x-waybill-peek-after")};
  Call call(services_, *std::move(principal), std::move(responder), client);
  const auto& policy = call.principal().policy();
  if (policy != nullptr && !policy->may(found->operation->access.need())) {
    call.fail(store::access_denied("queue/*"));
    return;
  }
  found->operation->operation(std::move(call), found->parameters);
}

}  // namespace waybill::api::sqs
