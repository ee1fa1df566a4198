#pragma once

#include "api/dynamodb/call.h"

// Every operation of the service: one file each. service.cc lists them by name.
namespace waybill::api::dynamodb {

// Items.
void batch_get_item(Call call, const json::Value& body);
void batch_write_item(Call call, const json::Value& body);
void delete_item(Call call, const json::Value& body);
void get_item(Call call, const json::Value& body);
void put_item(Call call, const json::Value& body);
void query(Call call, const json::Value& body);
void scan(Call call, const json::Value& body);
void transact_get_items(Call call, const json::Value& body);
void transact_write_items(Call call, const json::Value& body);
void update_item(Call call, const json::Value& body);

}  // namespace waybill::api::dynamodb
