#include <algorithm>
#include <utility>

#include "api/autoscaling/errors.h"
#include "api/autoscaling/operations.h"
#include "api/autoscaling/target_page.h"
#include "api/dynamodb/table_description.h"

namespace waybill::api::autoscaling {
namespace {

struct Request {
  std::optional<std::vector<std::string_view>> resource_ids;
  std::optional<std::string_view> dimension;
  PageFields page;

  bool wants(const TargetName& name) const {
    const bool is_named = !resource_ids || resource_ids->empty() ||
                          std::ranges::find(*resource_ids, name.resource_id()) != resource_ids->end();
    return is_named && (!dimension || *dimension == name.dimension());
  }
};

Result<Request> parse(const json::Value& body) {
  dynamodb::Reading reading;
  const dynamodb::Fields fields(body, reading);
  const auto service_namespace = fields.string("ServiceNamespace");
  Request request;
  request.resource_ids = fields.strings("ResourceIds");
  request.dimension = fields.string("ScalableDimension");
  request.page = PageFields::read(fields);
  WAYBILL_TRY(reading.status());
  dynamodb::Constraints constraints;
  check_namespace(constraints, service_namespace);
  WAYBILL_TRY(constraints.status());
  return request;
}

void write_target(json::Writer& out, const dynamodb::Services& services, const Target& target) {
  const auto& bounds = target.bounds;
  out.begin_object();
  write_name(out, target.name);
  out.key("MinCapacity").integer(bounds.units_min);
  out.key("MaxCapacity").integer(bounds.units_max);
  // The service's own role, where none is named.
  out.key("RoleARN").string(bounds.role_arn.empty()
                                ? "arn:aws:iam::" + services.account_id +
                                      ":role/aws-service-role/dynamodb.application-autoscaling.amazonaws.com/"
                                      "AWSServiceRoleForApplicationAutoScaling_DynamoDBTable"
                                : bounds.role_arn);
  dynamodb::write_time(out.key("CreationTime"), bounds.created_ms);
  out.key("SuspendedState").begin_object();
  out.key("DynamicScalingInSuspended").boolean(bounds.scaling_in_suspended);
  out.key("DynamicScalingOutSuspended").boolean(bounds.scaling_out_suspended);
  out.key("ScheduledScalingSuspended").boolean(bounds.schedule_suspended).end_object();
  out.key("ScalableTargetARN").string(target_arn(services, bounds));
  out.end_object();
}

std::string render(const dynamodb::Services& services, const TargetPage& page) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("ScalableTargets").begin_array();
  for (const auto& target : page.targets) {
    write_target(out, services, target);
  }
  out.end_array();
  write_next_token(out, page);
  out.end_object();
  return text;
}

}  // namespace

void describe_scalable_targets(dynamodb::Call call, const json::Value& body) {
  const auto request = parse(body);
  if (!request) {
    fail(std::move(call), request.error());
    return;
  }
  auto wanted = all_targets(call.store());
  std::erase_if(wanted, [&](const Target& target) { return !request->wants(target.name); });
  const auto page = page_of(std::move(wanted), request->page);
  if (!page) {
    fail(std::move(call), "InvalidNextTokenException", "The next token is not valid");
    return;
  }
  auto text = render(call.services(), *page);
  call.answer(std::move(text));
}

}  // namespace waybill::api::autoscaling
