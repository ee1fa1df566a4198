#include <utility>

#include "api/autoscaling/errors.h"
#include "api/autoscaling/operations.h"
#include "api/autoscaling/scalable_target.h"

namespace waybill::api::autoscaling {
namespace {

struct Request {
  TargetName target;
  std::string policy;
};

Result<Request> parse(const json::Value& body) {
  dynamodb::Reading reading;
  const dynamodb::Fields fields(body, reading);
  const auto policy = fields.string("PolicyName");
  const auto target = TargetFields::read(fields);
  WAYBILL_TRY(reading.status());
  dynamodb::Constraints constraints;
  constraints.not_null("policyName", policy);
  target.check_present(constraints);
  WAYBILL_TRY(constraints.status());
  WAYBILL_TRY_ASSIGN(auto name, target.name());
  return Request{std::move(name), std::string(*policy)};
}

}  // namespace

void delete_scaling_policy(dynamodb::Call call, const json::Value& body) {
  const auto request = parse(body);
  if (!request) {
    fail(std::move(call), request.error());
    return;
  }
  const Error missing{ErrorKind::not_found,
                      "No scaling policy found for " + request->target.in_words() + ": " + request->policy,
                      {}};
  BoundsChange change;
  change.name = request->target;
  change.change = [missing, policy = request->policy](std::optional<table::ScalingBounds>& bounds) -> Status {
    if (!bounds || !bounds->policy || bounds->policy->name != policy) {
      return missing;
    }
    bounds->policy.reset();
    return {};
  };
  change.render = [](const dynamodb::Services&, const std::optional<table::ScalingBounds>&) {
    return std::string("{}");
  };
  change_bounds(std::move(call), std::move(change), missing);
}

}  // namespace waybill::api::autoscaling
