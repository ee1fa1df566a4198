#include "api/dynamodb/service.h"

#include <algorithm>
#include <string_view>

#include "api/dynamodb/errors.h"

namespace waybill::api::dynamodb {
namespace {

bool is_json(std::string_view content_type) {
  const auto type = content_type.substr(0, content_type.find(';'));
  return http::equals_ignoring_case(type, json_1_0) || http::equals_ignoring_case(type, json_1_1) ||
         http::equals_ignoring_case(type, "application/json");
}

// To what does not speak the protocol at all, the service answers in XML, of all things.
http::Response not_the_protocol(const Services& services) {
  http::Response response;
  response.status = 404;
  response.body = "<UnknownOperationException/>\n";
  response.request_id = make_request_id(services.entropy);
  response.amz_crc32 = true;
  return response;
}

// The fields of a request. An empty list passes for an empty structure, as with the service.
Result<json::Value> as_structure(const json::Value& body) {
  if (body.is_object()) {
    return body;
  }
  if (body.is_array() && body.size() == 0) {
    thread_local json::Parser empty_parser;
    return empty_parser.parse_copy("{}");
  }
  return Error{ErrorKind::malformed, body.is_null() ? "" : "Unexpected field type", {}};
}

Result<json::Value> parse(std::string_view text) {
  thread_local json::Parser parser;
  auto body = parser.parse(text);
  if (!body) {
    return Error{ErrorKind::malformed, "", body.error().message};
  }
  return body;
}

// The service minds a body that is no JSON before an unknown operation, and one that is no structure after.
Result<json::Value> request_fields(const http::Request& request, bool known_operation) {
  if (!known_operation && request.body.empty()) {
    return Error{ErrorKind::unknown_operation, "", {}};
  }
  WAYBILL_TRY_ASSIGN(const auto body, parse(request.body));
  if (!known_operation) {
    return Error{ErrorKind::unknown_operation, "", {}};
  }
  return as_structure(body);
}

void fail(const Services& services, http::Responder responder, const Error& error) {
  http::Response response;
  response.status = error_form(error.kind).status;
  response.content_type = "application/x-amz-json-1.0";
  response.body = error_body(error);
  response.request_id = make_request_id(services.entropy);
  response.amz_crc32 = true;
  responder.send(std::move(response));
}

// "Waybill-Operation: import" is for operators: it goes around the moves that a contract allows.
Result<bool> reads_import(const http::Request& request, const http::VerifiedPrincipal& principal) {
  const auto word = request.header("waybill-operation");
  if (word.empty()) {
    return false;
  }
  if (word != "import") {
    return invalid("Waybill-Operation can be \"import\" and nothing else");
  }
  if (principal.policy() != nullptr && !principal.policy()->may(access::Need::everything)) {
    return Error{ErrorKind::access_denied,
                 "Waybill-Operation: import is for keys that may do everything, and this one has limits",
                 {}};
  }
  return true;
}

}  // namespace

Service::Found Service::find_operation(std::string_view target) const {
  for (const auto& list : lists_) {
    if (!target.starts_with(list.prefix)) {
      continue;
    }
    const auto name = target.substr(list.prefix.size());
    const auto found = std::ranges::lower_bound(list.operations, name, {}, &NamedOperation::name);
    const bool is_known = found != list.operations.end() && found->name == name;
    return {is_known ? &*found : nullptr,
            {list.content_type, list.action_prefix, is_known ? found->name : std::string_view()}};
  }
  return {};
}

http::Response Service::refusal(int status, std::string_view reason) {
  const auto kind = status == 413   ? ErrorKind::too_large
                    : status == 503 ? ErrorKind::unavailable
                    : status >= 500 ? ErrorKind::internal
                                    : ErrorKind::malformed;
  http::Response response;
  response.status = status;
  response.content_type = "application/x-amz-json-1.0";
  response.body = error_body(Error{kind, std::string(reason), {}});
  response.amz_crc32 = true;
  return response;
}

void Service::handle(const http::Request& request, http::Responder responder) const {
  auto principal = verifier_.verify(request);
  if (!principal) {
    fail(services_, std::move(responder), principal.error());
    return;
  }
  if (!is_json(request.header("content-type"))) {
    responder.send(not_the_protocol(services_));
    return;
  }
  auto [operation, words] = find_operation(request.header("x-amz-target"));
  const auto imports = reads_import(request, *principal);
  if (!imports) {
    fail(services_, std::move(responder), imports.error());
    return;
  }
  words.imports = *imports;
  Call call(services_, *std::move(principal), std::move(responder), words);
  const auto fields = request_fields(request, operation != nullptr);
  if (!fields) {
    call.fail(fields.error());
    return;
  }
  const auto& policy = call.principal().policy();
  if (policy != nullptr && !policy->may(operation->access.need())) {
    call.fail(store::access_denied("*"));
    return;
  }
  operation->operation(std::move(call), *fields);
}

}  // namespace waybill::api::dynamodb
