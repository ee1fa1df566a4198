#pragma once

#include "api/dynamodb/call.h"

// What Application Auto Scaling is told of tables and indexes. It is kept with the table, told again, and
// used by `waybill cost`; nothing is scaled. One file each; operations.cc lists them by name.
namespace waybill::api::autoscaling {

dynamodb::OperationList operations();

void delete_scaling_policy(dynamodb::Call call, const json::Value& body);
void deregister_scalable_target(dynamodb::Call call, const json::Value& body);
void describe_scalable_targets(dynamodb::Call call, const json::Value& body);
void describe_scaling_policies(dynamodb::Call call, const json::Value& body);
void list_tags_for_resource(dynamodb::Call call, const json::Value& body);
void put_scaling_policy(dynamodb::Call call, const json::Value& body);
void register_scalable_target(dynamodb::Call call, const json::Value& body);

}  // namespace waybill::api::autoscaling
