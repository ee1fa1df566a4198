#include "api/dynamodb/fields.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_lookup.h"

namespace waybill::api::dynamodb {
namespace {

// There are no policies yet, so every answer is an error; which one depends on the table.
Error decide(const store::Store& store, const json::Value& body) {
  Reading reading;
  const auto arn = Fields(body, reading).string("ResourceArn");
  if (auto status = reading.status(); !status) {
    return status.error();
  }
  Constraints constraints;
  constraints.not_null("resourceArn", arn);
  if (auto status = constraints.status(); !status) {
    return status.error();
  }
  const auto name = table_name_in_arn(arn);
  if (!name) {
    return name.error();
  }
  if (const auto admitted = store.may_know(*name); !admitted) {
    return admitted.error();
  }
  if (!store.find_table(*name)) {
    return Error{ErrorKind::not_found,
                 "Requested resource not found: ResourcArn: " + std::string(*arn) + " not found",
                 {}};
  }
  return Error{ErrorKind::policy_not_found,
               "Resource-based policy not found for the provided ResourceArn: " + std::string(*arn),
               {}};
}

}  // namespace

void get_resource_policy(Call call, const json::Value& body) {
  call.fail(decide(call.store(), body));
}

}  // namespace waybill::api::dynamodb
