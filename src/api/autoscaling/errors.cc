#include "api/autoscaling/errors.h"

#include <string>
#include <utility>

#include "api/dynamodb/errors.h"
#include "base/json.h"

namespace waybill::api::autoscaling {

void fail(dynamodb::Call call, std::string_view type, std::string_view message) {
  std::string body;
  json::Writer(body).begin_object().key("__type").string(type).key("Message").string(message).end_object();
  call.fail_with_body(400, std::move(body));
}

void fail(dynamodb::Call call, const Error& error) {
  switch (error.kind) {
    case ErrorKind::invalid:
      return fail(std::move(call), "ValidationException", error.message);
    case ErrorKind::not_found:
      return fail(std::move(call), "ObjectNotFoundException", error.message);
    case ErrorKind::in_use:
      return fail(std::move(call), "ConcurrentUpdateException", error.message);
    default:
      return call.fail(error);  // faults of the protocol and of ours are told alike by all services
  }
}

}  // namespace waybill::api::autoscaling
