#include "api/autoscaling/operations.h"

#include <algorithm>

namespace waybill::api::autoscaling {
namespace {

constexpr access::Requires something{access::Need::something};
constexpr access::Requires admin{access::Need::admin};

constexpr dynamodb::NamedOperation named[] = {
    {"DeleteScalingPolicy", delete_scaling_policy, admin},
    {"DeregisterScalableTarget", deregister_scalable_target, admin},
    {"DescribeScalableTargets", describe_scalable_targets, something},
    {"DescribeScalingPolicies", describe_scaling_policies, something},
    {"ListTagsForResource", list_tags_for_resource, something},
    {"PutScalingPolicy", put_scaling_policy, admin},
    {"RegisterScalableTarget", register_scalable_target, admin},
};

static_assert(std::ranges::is_sorted(named, {}, &dynamodb::NamedOperation::name));

}  // namespace

dynamodb::OperationList operations() {
  return {"AnyScaleFrontendService.", named, dynamodb::json_1_1, "application-autoscaling:"};
}

}  // namespace waybill::api::autoscaling
