#include "api/dynamodb/operations.h"

#include <algorithm>

namespace waybill::api::dynamodb {
namespace {

// Every operation there is, by name. Sorted: looked up by halves.
constexpr NamedOperation named[] = {
    {"BatchExecuteStatement", batch_execute_statement},
    {"BatchGetItem", batch_get_item},
    {"BatchWriteItem", batch_write_item},
    {"CreateBackup", create_backup},
    {"CreateTable", create_table},
    {"DeleteBackup", delete_backup},
    {"DeleteItem", delete_item},
    {"DeleteTable", delete_table},
    {"DescribeBackup", describe_backup},
    {"DescribeContinuousBackups", describe_continuous_backups},
    {"DescribeContributorInsights", describe_contributor_insights},
    {"DescribeEndpoints", describe_endpoints},
    {"DescribeExport", describe_export},
    {"DescribeImport", describe_import},
    {"DescribeKinesisStreamingDestination", describe_kinesis_streaming_destination},
    {"DescribeLimits", describe_limits},
    {"DescribeTable", describe_table},
    {"DescribeTableReplicaAutoScaling", describe_table_replica_auto_scaling},
    {"DescribeTimeToLive", describe_time_to_live},
    {"ExecuteStatement", execute_statement},
    {"ExecuteTransaction", execute_transaction},
    {"ExportTableToPointInTime", export_table_to_point_in_time},
    {"GetItem", get_item},
    {"GetResourcePolicy", get_resource_policy},
    {"ImportTable", import_table},
    {"ListBackups", list_backups},
    {"ListExports", list_exports},
    {"ListImports", list_imports},
    {"ListTables", list_tables},
    {"ListTagsOfResource", list_tags_of_resource},
    {"PutItem", put_item},
    {"Query", query},
    {"RestoreTableFromBackup", restore_table_from_backup},
    {"RestoreTableToPointInTime", restore_table_to_point_in_time},
    {"Scan", scan},
    {"TagResource", tag_resource},
    {"TransactGetItems", transact_get_items},
    {"TransactWriteItems", transact_write_items},
    {"UntagResource", untag_resource},
    {"UpdateContinuousBackups", update_continuous_backups},
    {"UpdateItem", update_item},
    {"UpdateTable", update_table},
    {"UpdateTableReplicaAutoScaling", update_table_replica_auto_scaling},
    {"UpdateTimeToLive", update_time_to_live},
};

static_assert(std::ranges::is_sorted(named, {}, &NamedOperation::name));

}  // namespace

OperationList operations() {
  return {"DynamoDB_20120810.", named};
}

}  // namespace waybill::api::dynamodb
