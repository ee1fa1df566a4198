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

constexpr std::string_view configuration_name = "TargetTrackingScalingPolicyConfiguration";
constexpr std::size_t policy_name_length_max = 256;

struct Request {
  TargetName name;
  table::ScalingPolicy policy;
};

// What the JSON says, as far as its types are right.
struct PolicyFields {
  std::optional<std::string_view> name;
  std::optional<std::string_view> type;
  bool has_configuration = false;
  std::optional<double> target_percent;
  std::optional<std::string_view> metric;
  table::ScalingPolicy policy;
};

std::optional<double> read_number(const Fields& fields, std::string_view name) {
  const auto value = fields.any(name);
  if (!value) {
    return std::nullopt;
  }
  if (value->type() != json::Type::number) {
    fields.reading().fail("Unexpected field type");
    return std::nullopt;
  }
  return value->number();
}

PolicyFields read_policy(const Fields& fields) {
  PolicyFields read;
  read.name = fields.string("PolicyName");
  read.type = fields.string("PolicyType");
  const auto configuration = fields.structure(configuration_name, configuration_name);
  if (!configuration) {
    return read;
  }
  read.has_configuration = true;
  read.target_percent = read_number(*configuration, "TargetValue");
  if (const auto metric =
          configuration->structure("PredefinedMetricSpecification", "PredefinedMetricSpecification")) {
    read.metric = metric->string("PredefinedMetricType");
  }
  read.policy.scale_out_cooldown_s = configuration->integer("ScaleOutCooldown");
  read.policy.scale_in_cooldown_s = configuration->integer("ScaleInCooldown");
  read.policy.disable_scale_in = configuration->boolean("DisableScaleIn");
  return read;
}

Status check(const PolicyFields& fields, const TargetName& name) {
  constexpr double target_percent_min = 20;
  constexpr double target_percent_max = 90;
  if (fields.type != "TargetTrackingScaling" || !fields.has_configuration) {
    return invalid("DynamoDB tables are scaled by policies of type TargetTrackingScaling alone, with a " +
                   std::string(configuration_name));
  }
  if (fields.metric != name.metric()) {
    return invalid("The predefined metric type must be " + std::string(name.metric()) +
                   " for the scalable dimension " + std::string(name.dimension()));
  }
  if (!(*fields.target_percent >= target_percent_min && *fields.target_percent <= target_percent_max)) {
    return invalid("The target value must be between 20 and 90");
  }
  return {};
}

Result<Request> parse(const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto target = TargetFields::read(fields);
  const auto given = read_policy(fields);
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  constraints.not_null("policyName", given.name);
  constraints.length_min("policyName", given.name, 1);
  constraints.length_max("policyName", given.name, policy_name_length_max);
  target.check_present(constraints);
  if (given.has_configuration) {
    constraints.not_null("targetTrackingScalingPolicyConfiguration.targetValue", given.target_percent);
  }
  WAYBILL_TRY(constraints.status());
  Request request;
  WAYBILL_TRY_ASSIGN(request.name, target.name());
  WAYBILL_TRY(check(given, request.name));
  request.policy = given.policy;
  request.policy.name = *given.name;
  request.policy.target_percent = *given.target_percent;
  return request;
}

// A policy of the same name is replaced and stays the same one; there is one at most for each target.
Status decide(const Request& request, std::optional<table::ScalingBounds>& bounds) {
  if (!bounds) {
    return no_target("registered", request.name);
  }
  auto policy = request.policy;
  if (bounds->policy) {
    if (bounds->policy->name != policy.name) {
      return invalid("Only one TargetTrackingScaling policy for a given metric specification is allowed.");
    }
    policy.id = bounds->policy->id;
    policy.created_ms = bounds->policy->created_ms;
  }
  bounds->policy = std::move(policy);
  return {};
}

}  // namespace

void put_scaling_policy(Call call, const json::Value& body) {
  auto request = parse(body);
  if (!request) {
    fail(std::move(call), request.error());
    return;
  }
  const auto& services = call.services();
  request->policy.id = make_uuid4(services.entropy);
  request->policy.created_ms = services.clock.wall_ms();
  BoundsChange change;
  change.name = request->name;
  change.change = [request = *request](std::optional<table::ScalingBounds>& bounds) {
    return decide(request, bounds);
  };
  change.render = [name = request->name](const Services& with,
                                         const std::optional<table::ScalingBounds>& bounds) {
    std::string text;
    json::Writer out(text);
    out.begin_object().key("PolicyARN").string(policy_arn(with, name, *bounds->policy));
    out.key("Alarms").begin_array().end_array().end_object();
    return text;
  };
  change_bounds(std::move(call), std::move(change), no_target("registered", request->name));
}

}  // namespace waybill::api::autoscaling
