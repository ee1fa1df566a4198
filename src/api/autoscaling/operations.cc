#include "api/autoscaling/operations.h"

#include <algorithm>

namespace waybill::api::autoscaling {
namespace {

constexpr dynamodb::NamedOperation named[] = {
    {"DeleteScalingPolicy", delete_scaling_policy},
    {"DeregisterScalableTarget", deregister_scalable_target},
    {"DescribeScalableTargets", describe_scalable_targets},
    {"DescribeScalingPolicies", describe_scaling_policies},
    {"ListTagsForResource", list_tags_for_resource},
    {"PutScalingPolicy", put_scaling_policy},
    {"RegisterScalableTarget", register_scalable_target},
};

static_assert(std::ranges::is_sorted(named, {}, &dynamodb::NamedOperation::name));

}  // namespace

dynamodb::OperationList operations() {
  return {"AnyScaleFrontendService.", named, dynamodb::json_1_1};
}

}  // namespace waybill::api::autoscaling
