#include <utility>

#include "api/autoscaling/errors.h"
#include "api/autoscaling/operations.h"
#include "api/autoscaling/scalable_target.h"

namespace waybill::api::autoscaling {
namespace {

Status check(const dynamodb::Call& call, const json::Value& body) {
  dynamodb::Reading reading;
  const auto arn = dynamodb::Fields(body, reading).string("ResourceARN");
  WAYBILL_TRY(reading.status());
  dynamodb::Constraints constraints;
  constraints.not_null("resourceARN", arn);
  WAYBILL_TRY(constraints.status());
  for (const auto& target : all_targets(call.store())) {
    if (target_arn(call.services(), target.bounds) == *arn) {
      return {};
    }
  }
  return Error{ErrorKind::not_found, "No scalable target found with ARN: " + std::string(*arn), {}};
}

}  // namespace

// Scalable targets have no tags here. Terraform asks for them after every change.
void list_tags_for_resource(dynamodb::Call call, const json::Value& body) {
  if (const auto checked = check(call, body); !checked) {
    const bool is_missing = checked.error().kind == ErrorKind::not_found;
    is_missing ? fail(std::move(call), "ResourceNotFoundException", checked.error().message)
               : fail(std::move(call), checked.error());
    return;
  }
  call.answer(std::string(R"({"Tags":{}})"));
}

}  // namespace waybill::api::autoscaling
