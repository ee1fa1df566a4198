#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "access/policy.h"
#include "base/json.h"
#include "base/result.h"

namespace waybill::access {

// Reads policies from JSON: one grant, or a list of them. Grants add up; what stands in one narrows it.
//
//   [{"tables": ["asset_creator"], "verbs": ["read", "write"], "partition_keys": ["PROJECT#{tenant}"]},
//    {"tables": ["asset_creator"], "verbs": ["read", "write"], "partition_keys": ["JOB#*"],
//     "attributes": {"project_id": ["{tenant}"]}}]
//
// "{tenant}" stands for the tenant of the key. Errors say what to write instead.
Result<PolicyPtr> read_policy(const json::Value& policy, std::string_view tenant);

// Whether a key may name its tenant so: 1 to 128 letters, digits, '_', '-' or '.', so that it cannot be a
// pattern in a policy that it is put into.
bool is_tenant(std::string_view tenant);

}  // namespace waybill::access
