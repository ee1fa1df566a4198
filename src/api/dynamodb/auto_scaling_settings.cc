#include "api/dynamodb/auto_scaling_settings.h"

#include <algorithm>
#include <utility>

#include "api/dynamodb/table_description.h"

namespace waybill::api::dynamodb {
namespace {

constexpr std::string_view configuration_name = "TargetTrackingScalingPolicyConfiguration";

std::optional<table::ScalingPolicy> read_policy(const Fields& fields) {
  const auto given = fields.structure("ScalingPolicyUpdate", "AutoScalingPolicyUpdate");
  const auto configuration =
      given
          ? given->structure(configuration_name, "AutoScalingTargetTrackingScalingPolicyConfigurationUpdate")
          : std::nullopt;
  if (!configuration) {
    return std::nullopt;
  }
  table::ScalingPolicy policy;
  policy.name = given->string("PolicyName").value_or("");
  const auto target = configuration->any("TargetValue");
  policy.target_percent = target && target->type() == json::Type::number ? target->number() : 0;
  policy.scale_in_cooldown_s = configuration->integer("ScaleInCooldown");
  policy.scale_out_cooldown_s = configuration->integer("ScaleOutCooldown");
  policy.disable_scale_in = configuration->boolean("DisableScaleIn");
  return policy;
}

Status set_policy(table::ScalingPolicy policy, const ScalingIdentity& identity,
                  table::ScalingBounds& bounds) {
  constexpr double target_percent_min = 20;
  constexpr double target_percent_max = 90;
  if (!(policy.target_percent >= target_percent_min && policy.target_percent <= target_percent_max)) {
    return invalid("One or more parameter values were invalid: TargetValue must be between 20 and 90");
  }
  if (policy.name.empty()) {
    policy.name = bounds.policy ? bounds.policy->name : "DynamoDBAutoScaling:" + identity.id;
  }
  policy.id = bounds.policy ? bounds.policy->id : identity.id;
  policy.created_ms = bounds.policy ? bounds.policy->created_ms : identity.now_ms;
  bounds.policy = std::move(policy);
  return {};
}

void write_policies(json::Writer& out, const table::ScalingBounds& bounds) {
  out.key("ScalingPolicies").begin_array();
  if (bounds.policy) {
    const auto& policy = *bounds.policy;
    out.begin_object().key("PolicyName").string(policy.name);
    out.key(configuration_name).begin_object();
    if (policy.disable_scale_in) {
      out.key("DisableScaleIn").boolean(*policy.disable_scale_in);
    }
    if (policy.scale_in_cooldown_s) {
      out.key("ScaleInCooldown").integer(*policy.scale_in_cooldown_s);
    }
    if (policy.scale_out_cooldown_s) {
      out.key("ScaleOutCooldown").integer(*policy.scale_out_cooldown_s);
    }
    out.key("TargetValue").real(policy.target_percent).end_object().end_object();
  }
  out.end_array();
}

void write_bounds(json::Writer& out, std::string_view member,
                  const std::optional<table::ScalingBounds>& bounds) {
  out.key(member).begin_object();
  if (!bounds) {
    out.key("AutoScalingDisabled").boolean(true).end_object();
    return;
  }
  out.key("MinimumUnits").integer(bounds->units_min);
  out.key("MaximumUnits").integer(bounds->units_max);
  if (!bounds->role_arn.empty()) {
    out.key("AutoScalingRoleArn").string(bounds->role_arn);
  }
  write_policies(out, *bounds);
  out.end_object();
}

void write_replica(json::Writer& out, const Services& services, const table::Table& table) {
  out.begin_object().key("RegionName").string(services.region);
  out.key("GlobalSecondaryIndexes").begin_array();
  for (const auto& index : table.indexes) {
    if (index.kind == table::IndexKind::global) {
      out.begin_object().key("IndexName").string(index.name);
      out.key("IndexStatus").string(index.backfilling ? "CREATING" : "ACTIVE");
      write_bounds(out, "ProvisionedReadCapacityAutoScalingSettings", index.scaling.reads);
      write_bounds(out, "ProvisionedWriteCapacityAutoScalingSettings", index.scaling.writes);
      out.end_object();
    }
  }
  out.end_array();
  write_bounds(out, "ReplicaProvisionedReadCapacityAutoScalingSettings", table.scaling.reads);
  write_bounds(out, "ReplicaProvisionedWriteCapacityAutoScalingSettings", table.scaling.writes);
  out.key("ReplicaStatus").string("ACTIVE").end_object();
}

}  // namespace

std::optional<AutoScalingUpdate> AutoScalingUpdate::read(const Fields& fields, std::string_view member) {
  const auto given = fields.structure(member, "AutoScalingSettingsUpdate");
  if (!given) {
    return std::nullopt;
  }
  AutoScalingUpdate update;
  update.units_min = given->long_integer("MinimumUnits");
  update.units_max = given->long_integer("MaximumUnits");
  update.disabled = given->boolean("AutoScalingDisabled");
  if (const auto role = given->string("AutoScalingRoleArn")) {
    update.role_arn = *role;
  }
  update.policy = read_policy(*given);
  return update;
}

Status apply_auto_scaling(const AutoScalingUpdate& update, const ScalingIdentity& identity,
                          std::optional<table::ScalingBounds>& bounds) {
  if (update.disabled.value_or(false)) {
    bounds.reset();
    return {};
  }
  if (!bounds && (!update.units_min || !update.units_max)) {
    return invalid("One or more parameter values were invalid: MinimumUnits and MaximumUnits must be given");
  }
  table::ScalingBounds next = bounds.value_or(table::ScalingBounds());
  if (!bounds) {
    next.id = identity.id;
    next.created_ms = identity.now_ms;
  }
  next.units_min = update.units_min.value_or(next.units_min);
  next.units_max = update.units_max.value_or(next.units_max);
  if (next.units_min < 1 || next.units_max < next.units_min) {
    return invalid(
        "One or more parameter values were invalid: MinimumUnits must be 1 at least, and MaximumUnits not "
        "less");
  }
  next.role_arn = update.role_arn.value_or(next.role_arn);
  if (update.policy) {
    WAYBILL_TRY(set_policy(*update.policy, identity, next));
  }
  bounds = std::move(next);
  return {};
}

std::string auto_scaling_description(const Services& services, const table::Table& table) {
  const bool is_registered =
      !table.scaling.empty() ||
      std::ranges::any_of(table.indexes, [](const auto& index) { return !index.scaling.empty(); });
  std::string text;
  json::Writer out(text);
  out.begin_object().key("TableAutoScalingDescription").begin_object();
  out.key("TableName").string(table.name);
  out.key("TableStatus").string(current_status(table));
  out.key("Replicas").begin_array();
  if (is_registered) {
    write_replica(out, services, table);
  }
  out.end_array().end_object().end_object();
  return text;
}

}  // namespace waybill::api::dynamodb
