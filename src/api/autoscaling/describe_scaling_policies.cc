#include <algorithm>
#include <utility>

#include "api/autoscaling/errors.h"
#include "api/autoscaling/operations.h"
#include "api/autoscaling/target_page.h"
#include "api/dynamodb/table_description.h"

namespace waybill::api::autoscaling {
namespace {

struct Request {
  std::optional<std::vector<std::string_view>> policy_names;
  std::optional<std::string_view> resource_id;
  std::optional<std::string_view> dimension;
  PageFields page;

  bool wants(const Target& target) const {
    const auto& policy = target.bounds.policy;
    const bool is_named = !policy_names || policy_names->empty() ||
                          (policy && std::ranges::find(*policy_names, policy->name) != policy_names->end());
    return policy && is_named && (!resource_id || *resource_id == target.name.resource_id()) &&
           (!dimension || *dimension == target.name.dimension());
  }
};

Result<Request> parse(const json::Value& body) {
  dynamodb::Reading reading;
  const dynamodb::Fields fields(body, reading);
  const auto target = TargetFields::read(fields);
  Request request;
  request.policy_names = fields.strings("PolicyNames");
  request.resource_id = target.resource_id;
  request.dimension = target.dimension;
  request.page = PageFields::read(fields);
  WAYBILL_TRY(reading.status());
  dynamodb::Constraints constraints;
  check_namespace(constraints, target.service_namespace);
  WAYBILL_TRY(constraints.status());
  return request;
}

void write_configuration(json::Writer& out, const TargetName& name, const table::ScalingPolicy& policy) {
  out.key("TargetTrackingScalingPolicyConfiguration").begin_object();
  out.key("TargetValue").real(policy.target_percent);
  out.key("PredefinedMetricSpecification").begin_object();
  out.key("PredefinedMetricType").string(name.metric()).end_object();
  if (policy.scale_out_cooldown_s) {
    out.key("ScaleOutCooldown").integer(*policy.scale_out_cooldown_s);
  }
  if (policy.scale_in_cooldown_s) {
    out.key("ScaleInCooldown").integer(*policy.scale_in_cooldown_s);
  }
  if (policy.disable_scale_in) {
    out.key("DisableScaleIn").boolean(*policy.disable_scale_in);
  }
  out.end_object();
}

std::string render(const dynamodb::Services& services, const TargetPage& page) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("ScalingPolicies").begin_array();
  for (const auto& [name, bounds] : page.targets) {
    const auto& policy = *bounds.policy;
    out.begin_object();
    out.key("PolicyARN").string(policy_arn(services, name, policy));
    out.key("PolicyName").string(policy.name);
    write_name(out, name);
    out.key("PolicyType").string("TargetTrackingScaling");
    write_configuration(out, name, policy);
    out.key("Alarms").begin_array().end_array();
    dynamodb::write_time(out.key("CreationTime"), policy.created_ms);
    out.end_object();
  }
  out.end_array();
  write_next_token(out, page);
  out.end_object();
  return text;
}

}  // namespace

void describe_scaling_policies(dynamodb::Call call, const json::Value& body) {
  const auto request = parse(body);
  if (!request) {
    fail(std::move(call), request.error());
    return;
  }
  auto wanted = all_targets(call.store());
  std::erase_if(wanted, [&](const Target& target) { return !request->wants(target); });
  const auto page = page_of(std::move(wanted), request->page);
  if (!page) {
    fail(std::move(call), "InvalidNextTokenException", "The next token is not valid");
    return;
  }
  auto text = render(call.services(), *page);
  call.answer(std::move(text));
}

}  // namespace waybill::api::autoscaling
