#pragma once

#include "api/dynamodb/call.h"

// Every operation of the service: one file each. operations.cc lists them by name.
namespace waybill::api::dynamodb {

OperationList operations();

// Items.
void batch_execute_statement(Call call, const json::Value& body);
void batch_get_item(Call call, const json::Value& body);
void batch_write_item(Call call, const json::Value& body);
void delete_item(Call call, const json::Value& body);
void execute_statement(Call call, const json::Value& body);
void execute_transaction(Call call, const json::Value& body);
void get_item(Call call, const json::Value& body);
void put_item(Call call, const json::Value& body);
void query(Call call, const json::Value& body);
void scan(Call call, const json::Value& body);
void transact_get_items(Call call, const json::Value& body);
void transact_write_items(Call call, const json::Value& body);
void update_item(Call call, const json::Value& body);

// Tables.
void create_table(Call call, const json::Value& body);
void delete_table(Call call, const json::Value& body);
void describe_contributor_insights(Call call, const json::Value& body);
void describe_endpoints(Call call, const json::Value& body);
void describe_kinesis_streaming_destination(Call call, const json::Value& body);
void describe_limits(Call call, const json::Value& body);
void describe_table(Call call, const json::Value& body);
void describe_table_replica_auto_scaling(Call call, const json::Value& body);
void describe_time_to_live(Call call, const json::Value& body);
void get_resource_policy(Call call, const json::Value& body);
void list_tables(Call call, const json::Value& body);
void list_tags_of_resource(Call call, const json::Value& body);
void tag_resource(Call call, const json::Value& body);
void untag_resource(Call call, const json::Value& body);
void update_table(Call call, const json::Value& body);
void update_table_replica_auto_scaling(Call call, const json::Value& body);
void update_time_to_live(Call call, const json::Value& body);

// Backups and recovery.
void create_backup(Call call, const json::Value& body);
void delete_backup(Call call, const json::Value& body);
void describe_backup(Call call, const json::Value& body);
void describe_continuous_backups(Call call, const json::Value& body);
void list_backups(Call call, const json::Value& body);
void restore_table_from_backup(Call call, const json::Value& body);
void restore_table_to_point_in_time(Call call, const json::Value& body);
void update_continuous_backups(Call call, const json::Value& body);

// Exports and imports.
void describe_export(Call call, const json::Value& body);
void describe_import(Call call, const json::Value& body);
void export_table_to_point_in_time(Call call, const json::Value& body);
void import_table(Call call, const json::Value& body);
void list_exports(Call call, const json::Value& body);
void list_imports(Call call, const json::Value& body);

}  // namespace waybill::api::dynamodb
