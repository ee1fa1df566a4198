#include "api/dynamodb/operations.h"

#include <algorithm>

namespace waybill::api::dynamodb {
namespace {

constexpr access::Requires nothing{access::Need::nothing};
constexpr access::Requires something{access::Need::something};
constexpr access::Requires read{access::Need::read};
constexpr access::Requires write{access::Need::write};
constexpr access::Requires read_or_write{access::Need::read_or_write};
constexpr access::Requires admin{access::Need::admin};
constexpr access::Requires everything{access::Need::everything};

// Every operation there is, by name. Sorted: looked up by halves.
constexpr NamedOperation named[] = {
    {"BatchExecuteStatement", batch_execute_statement, read_or_write},
    {"BatchGetItem", batch_get_item, read},
    {"BatchWriteItem", batch_write_item, write},
    {"CreateBackup", create_backup, admin},
    {"CreateTable", create_table, admin},
    {"DeleteBackup", delete_backup, admin},
    {"DeleteItem", delete_item, write},
    {"DeleteTable", delete_table, admin},
    {"DescribeBackup", describe_backup, admin},
    {"DescribeContinuousBackups", describe_continuous_backups, something},
    {"DescribeContributorInsights", describe_contributor_insights, something},
    {"DescribeEndpoints", describe_endpoints, nothing},
    {"DescribeExport", describe_export, everything},
    {"DescribeImport", describe_import, everything},
    {"DescribeKinesisStreamingDestination", describe_kinesis_streaming_destination, something},
    {"DescribeLimits", describe_limits, nothing},
    {"DescribeTable", describe_table, something},
    {"DescribeTableReplicaAutoScaling", describe_table_replica_auto_scaling, something},
    {"DescribeTimeToLive", describe_time_to_live, something},
    {"ExecuteStatement", execute_statement, read_or_write},
    {"ExecuteTransaction", execute_transaction, read_or_write},
    {"ExportTableToPointInTime", export_table_to_point_in_time, everything},
    {"GetItem", get_item, read},
    {"GetResourcePolicy", get_resource_policy, something},
    {"ImportTable", import_table, everything},
    {"ListBackups", list_backups, admin},
    {"ListExports", list_exports, everything},
    {"ListImports", list_imports, everything},
    {"ListTables", list_tables, something},
    {"ListTagsOfResource", list_tags_of_resource, something},
    {"PutItem", put_item, write},
    {"Query", query, read},
    {"RestoreTableFromBackup", restore_table_from_backup, admin},
    {"RestoreTableToPointInTime", restore_table_to_point_in_time, admin},
    {"Scan", scan, read},
    {"TagResource", tag_resource, admin},
    {"TransactGetItems", transact_get_items, read},
    {"TransactWriteItems", transact_write_items, read_or_write},
    {"UntagResource", untag_resource, admin},
    {"UpdateContinuousBackups", update_continuous_backups, admin},
    {"UpdateItem", update_item, write},
    {"UpdateTable", update_table, admin},
    {"UpdateTableReplicaAutoScaling", update_table_replica_auto_scaling, admin},
    {"UpdateTimeToLive", update_time_to_live, admin},
};

static_assert(std::ranges::is_sorted(named, {}, &NamedOperation::name));

}  // namespace

OperationList operations() {
  return {"DynamoDB_20120810.", named};
}

}  // namespace waybill::api::dynamodb
