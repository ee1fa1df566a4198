#pragma once

#include "api/dynamodb/call.h"

// Every operation of DynamoDB Streams: one file each. operations.cc lists them by name.
namespace waybill::api::streams {

dynamodb::OperationList operations();

void describe_stream(dynamodb::Call call, const json::Value& body);
void get_records(dynamodb::Call call, const json::Value& body);
void get_shard_iterator(dynamodb::Call call, const json::Value& body);
void list_streams(dynamodb::Call call, const json::Value& body);

}  // namespace waybill::api::streams
