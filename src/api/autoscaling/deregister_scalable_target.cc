#include <utility>

#include "api/autoscaling/errors.h"
#include "api/autoscaling/operations.h"
#include "api/autoscaling/scalable_target.h"

namespace waybill::api::autoscaling {
namespace {

Result<TargetName> parse(const json::Value& body) {
  dynamodb::Reading reading;
  const auto target = TargetFields::read(dynamodb::Fields(body, reading));
  WAYBILL_TRY(reading.status());
  dynamodb::Constraints constraints;
  target.check_present(constraints);
  WAYBILL_TRY(constraints.status());
  return target.name();
}

}  // namespace

// Its policy goes with it.
void deregister_scalable_target(dynamodb::Call call, const json::Value& body) {
  const auto name = parse(body);
  if (!name) {
    fail(std::move(call), name.error());
    return;
  }
  const Error missing = no_target("found", *name);
  BoundsChange change;
  change.name = *name;
  change.change = [missing](std::optional<table::ScalingBounds>& bounds) -> Status {
    if (!bounds) {
      return missing;
    }
    bounds.reset();
    return {};
  };
  change.render = [](const dynamodb::Services&, const std::optional<table::ScalingBounds>&) {
    return std::string("{}");
  };
  change_bounds(std::move(call), std::move(change), missing);
}

}  // namespace waybill::api::autoscaling
