#include <algorithm>
#include <utility>

#include "api/autoscaling/errors.h"
#include "api/autoscaling/operations.h"
#include "api/autoscaling/scalable_target.h"

namespace waybill::api::autoscaling {
namespace {

using dynamodb::Call;
using dynamodb::Constraints;
using dynamodb::Fields;
using dynamodb::Reading;
using dynamodb::Services;

// What is not given stays as it was.
struct Request {
  TargetName name;
  std::optional<int64_t> units_min;
  std::optional<int64_t> units_max;
  std::optional<std::string> role_arn;
  std::optional<bool> scaling_in_suspended;
  std::optional<bool> scaling_out_suspended;
  std::optional<bool> schedule_suspended;
};

void read_suspended(const Fields& fields, Request& request) {
  if (const auto suspended = fields.structure("SuspendedState", "SuspendedState")) {
    request.scaling_in_suspended = suspended->boolean("DynamicScalingInSuspended");
    request.scaling_out_suspended = suspended->boolean("DynamicScalingOutSuspended");
    request.schedule_suspended = suspended->boolean("ScheduledScalingSuspended");
  }
}

Result<Request> parse(const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  Request request;
  const auto target = TargetFields::read(fields);
  request.units_min = fields.integer("MinCapacity");
  request.units_max = fields.integer("MaxCapacity");
  const auto role_arn = fields.string("RoleARN");
  read_suspended(fields, request);
  const auto tags = fields.string_map("Tags");
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  target.check_present(constraints);
  constraints.value_min("minCapacity", request.units_min, 1);
  constraints.value_min("maxCapacity", request.units_max, 1);
  WAYBILL_TRY(constraints.status());
  if (tags && tags->size() > 0) {
    return invalid("Tags of scalable targets are not kept; tag the table");
  }
  WAYBILL_TRY_ASSIGN(request.name, target.name());
  if (role_arn) {
    request.role_arn = *role_arn;
  }
  return request;
}

struct Now {
  int64_t ms = 0;
  std::string new_id;
};

Status decide(const Request& request, const Now& now, std::optional<table::ScalingBounds>& bounds) {
  if (!bounds && (!request.units_min || !request.units_max)) {
    return invalid("MinCapacity and MaxCapacity are required to register a new scalable target");
  }
  table::ScalingBounds next = bounds.value_or(table::ScalingBounds());
  if (!bounds) {
    next.id = now.new_id;
    next.created_ms = now.ms;
  }
  next.units_min = request.units_min.value_or(next.units_min);
  next.units_max = request.units_max.value_or(next.units_max);
  if (next.units_max < next.units_min) {
    return invalid("Maximum capacity cannot be less than minimum capacity");
  }
  next.role_arn = request.role_arn.value_or(next.role_arn);
  next.scaling_in_suspended = request.scaling_in_suspended.value_or(next.scaling_in_suspended);
  next.scaling_out_suspended = request.scaling_out_suspended.value_or(next.scaling_out_suspended);
  next.schedule_suspended = request.schedule_suspended.value_or(next.schedule_suspended);
  bounds = std::move(next);
  return {};
}

// 26 letters and digits of a random id.
std::string new_target_id(Entropy& entropy) {
  constexpr std::size_t length = 26;
  auto id = make_uuid4(entropy);
  std::erase(id, '-');
  return id.substr(0, length);
}

std::string render(const Services& services, const std::optional<table::ScalingBounds>& bounds) {
  std::string text;
  json::Writer(text)
      .begin_object()
      .key("ScalableTargetARN")
      .string(target_arn(services, *bounds))
      .end_object();
  return text;
}

}  // namespace

void register_scalable_target(Call call, const json::Value& body) {
  const auto request = parse(body);
  if (!request) {
    fail(std::move(call), request.error());
    return;
  }
  const auto& services = call.services();
  const Now now{services.clock.wall_ms(), new_target_id(services.entropy)};
  BoundsChange change;
  change.name = request->name;
  change.change = [request = *request, now](std::optional<table::ScalingBounds>& bounds) {
    return decide(request, now, bounds);
  };
  change.render = render;
  change_bounds(std::move(call), std::move(change),
                invalid("DynamoDB table does not exist: " + request->name.resource_id()));
}

}  // namespace waybill::api::autoscaling
