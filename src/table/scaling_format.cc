#include "table/scaling_format.h"

namespace waybill::table {
namespace {

void write_policy(json::Writer& out, const ScalingPolicy& policy) {
  out.begin_object();
  out.key("name").string(policy.name);
  out.key("id").string(policy.id);
  out.key("target_percent").real(policy.target_percent);
  if (policy.scale_in_cooldown_s) {
    out.key("scale_in_cooldown_s").integer(*policy.scale_in_cooldown_s);
  }
  if (policy.scale_out_cooldown_s) {
    out.key("scale_out_cooldown_s").integer(*policy.scale_out_cooldown_s);
  }
  if (policy.disable_scale_in) {
    out.key("disable_scale_in").boolean(*policy.disable_scale_in);
  }
  out.key("created_ms").integer(policy.created_ms).end_object();
}

void write_bounds(json::Writer& out, std::string_view name, const std::optional<ScalingBounds>& bounds) {
  if (!bounds) {
    return;
  }
  out.key(name).begin_object();
  out.key("units_min").integer(bounds->units_min);
  out.key("units_max").integer(bounds->units_max);
  out.key("id").string(bounds->id);
  out.key("role_arn").string(bounds->role_arn);
  out.key("scaling_in_suspended").boolean(bounds->scaling_in_suspended);
  out.key("scaling_out_suspended").boolean(bounds->scaling_out_suspended);
  out.key("schedule_suspended").boolean(bounds->schedule_suspended);
  out.key("created_ms").integer(bounds->created_ms);
  if (bounds->policy) {
    write_policy(out.key("policy"), *bounds->policy);
  }
  out.end_object();
}

std::optional<ScalingPolicy> read_policy(const MemberReader& in) {
  const auto stored = in.has("policy") ? in.object("policy") : std::nullopt;
  if (!stored) {
    return std::nullopt;
  }
  ScalingPolicy policy;
  policy.name = stored->string("name");
  policy.id = stored->string("id");
  policy.target_percent = stored->real("target_percent");
  policy.scale_in_cooldown_s = stored->maybe_integer("scale_in_cooldown_s");
  policy.scale_out_cooldown_s = stored->maybe_integer("scale_out_cooldown_s");
  if (stored->has("disable_scale_in")) {
    policy.disable_scale_in = stored->boolean("disable_scale_in");
  }
  policy.created_ms = stored->integer("created_ms");
  return policy;
}

std::optional<ScalingBounds> read_bounds(const MemberReader& in, std::string_view name) {
  const auto stored = in.has(name) ? in.object(name) : std::nullopt;
  if (!stored) {
    return std::nullopt;
  }
  ScalingBounds bounds;
  bounds.units_min = stored->integer("units_min");
  bounds.units_max = stored->integer("units_max");
  bounds.id = stored->string("id");
  bounds.role_arn = stored->string("role_arn");
  bounds.scaling_in_suspended = stored->boolean("scaling_in_suspended");
  bounds.scaling_out_suspended = stored->boolean("scaling_out_suspended");
  bounds.schedule_suspended = stored->boolean("schedule_suspended");
  bounds.created_ms = stored->integer("created_ms");
  bounds.policy = read_policy(*stored);
  return bounds;
}

}  // namespace

void write_scaling(json::Writer& out, const Scaling& scaling) {
  if (scaling.empty()) {
    return;
  }
  out.key("scaling").begin_object();
  write_bounds(out, "reads", scaling.reads);
  write_bounds(out, "writes", scaling.writes);
  out.end_object();
}

Scaling read_scaling(const MemberReader& in) {
  const auto stored = in.has("scaling") ? in.object("scaling") : std::nullopt;
  return stored ? Scaling{read_bounds(*stored, "reads"), read_bounds(*stored, "writes")} : Scaling();
}

}  // namespace waybill::table
