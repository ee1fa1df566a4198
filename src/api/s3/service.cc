#include "api/s3/service.h"

#include <utility>

#include "api/s3/content_plan.h"
#include "api/s3/content_upload.h"
#include "api/s3/cors.h"
#include "api/s3/operations.h"
#include "bucket/errors.h"
#include "http/credentials.h"

namespace waybill::api::s3 {
namespace {

bool is_under_prefix(std::string_view path) {
  return path.starts_with(path_prefix) &&
         (path.size() == path_prefix.size() || path[path_prefix.size()] == '/');
}

Status check_policy(const access::Policy& policy, const NamedOperation& operation, const Request& request) {
  const auto allowed = [&] {
    switch (operation.subject) {
      case Subject::service:
        return policy.may(access::Need::something);
      case Subject::bucket:
        return operation.verb == access::Verb::admin ? policy.may_administer_bucket(request.bucket)
                                                     : policy.knows_bucket(request.bucket);
      case Subject::listing:
        return policy.may_list_objects(request.bucket, request.parameter("prefix"));
      case Subject::object:
        return policy.may_use_object(operation.verb, request.bucket, request.key);
    }
    return false;
  };
  return allowed() ? Status() : Error{ErrorKind::access_denied, "Access Denied", "AccessDenied"};
}

Error no_such_operation(const Request& request) {
  return request.method == "GET" || request.method == "PUT" || request.method == "POST" ||
                 request.method == "DELETE" || request.method == "HEAD"
             ? bucket::refusal(
                   "NotImplemented",
                   "A header or parameter you provided implies functionality that is not implemented.")
             : bucket::refusal("MethodNotAllowed",
                               "The specified method is not allowed against this resource.");
}

}  // namespace

bool Service::is_for(const http::Request& request) {
  if (request.method == "POST" && request.path == "/") {
    return false;  // what all calls of DynamoDB are, and none of this service
  }
  return is_under_prefix(request.path) || http::claimed_service(request) == "s3";
}

Result<Service::Admitted> Service::admit(const http::Request& request, const Request& read) const {
  WAYBILL_TRY_ASSIGN(auto head, verifier_.verify_head(request));
  if (!may_come_from(read, services_.accepts_any)) {
    return Error{ErrorKind::access_denied,
                 "Pages of other sites may not use a server that asks for no keys. Start it with --keys.",
                 "AccessDenied"};
  }
  const NamedOperation* const operation = find_operation(read);
  if (operation == nullptr) {
    return no_such_operation(read);
  }
  WAYBILL_TRY(check_names(read));
  Admitted admitted{Call(services_, std::move(head), read), operation};
  if (const auto* const policy = admitted.call.policy()) {
    WAYBILL_TRY(check_policy(*policy, *operation, read));
  }
  return admitted;
}

http::Opening Service::open_upload(const http::Request& request, const http::UploadGate& gate) const {
  const Request read = read_request(request);
  const NamedOperation* const operation = find_operation(read);
  if (operation == nullptr || operation->open == nullptr) {
    return {};
  }
  auto admitted = admit(request, read);
  if (!admitted) {
    return {nullptr, refusal(services_, read, admitted.error())};
  }
  auto plan = operation->open(admitted->call);
  if (!plan) {
    return {nullptr, admitted->call.failure(plan.error())};
  }
  return {std::make_unique<ContentUpload>(std::move(admitted->call), *std::move(plan), gate), {}};
}

void Service::handle(const http::Request& request, http::Responder responder) const {
  const Request read = read_request(request);
  if (read.method == "OPTIONS") {
    responder.send(preflight_answer(read, services_.accepts_any));
    return;
  }
  auto admitted = admit(request, read);
  if (!admitted) {
    responder.send(refusal(services_, read, admitted.error()));
    return;
  }
  Call& call = admitted->call;
  call.set_responder(std::move(responder));
  if (admitted->operation->open != nullptr) {
    auto plan = admitted->operation->open(call);
    if (!plan) {
      call.fail(plan.error());
      return;
    }
    ContentUpload::receive_nothing(std::move(call), *std::move(plan));
    return;
  }
  if (const auto checked = check_whole_body(read, call.head()); !checked) {
    call.fail(checked.error());
    return;
  }
  Workers& workers = admitted->operation->takes_long ? services_.copiers : services_.workers;
  workers.post([call = std::move(call), run = admitted->operation->run]() mutable { run(std::move(call)); });
}

}  // namespace waybill::api::s3
