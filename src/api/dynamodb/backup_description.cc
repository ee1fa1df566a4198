#include "api/dynamodb/backup_description.h"

#include "api/dynamodb/table_description.h"
#include "table/schema_json.h"
#include "table/stream.h"

namespace waybill::api::dynamodb {
namespace {

constexpr std::size_t arn_length_min = 37;
constexpr std::size_t arn_length_max = 1024;
constexpr std::string_view backup_mark = "/backup/";

void write_details(json::Writer& out, const Services& services, const table::Backup& backup,
                   std::string_view status) {
  out.begin_object();
  out.key("BackupArn").string(backup_arn(services, backup));
  out.key("BackupName").string(backup.name);
  out.key("BackupSizeBytes").integer(backup.bytes);
  out.key("BackupStatus").string(status);
  out.key("BackupType").string(backup_type(backup));
  write_time(out.key("BackupCreationDateTime"), backup.created_ms);
  if (backup.expires_ms != 0) {
    write_time(out.key("BackupExpiryDateTime"), backup.expires_ms);
  }
  out.end_object();
}

void write_source(json::Writer& out, const Services& services, const table::Backup& backup) {
  const auto& table = backup.table;
  out.begin_object();
  out.key("TableName").string(table.name);
  out.key("TableId").string(table.uuid);
  out.key("TableArn").string(services.table_arn(table.name));
  out.key("TableSizeBytes").integer(backup.bytes);
  table::write_key_schema(out, table.key);
  write_time(out.key("TableCreationDateTime"), table.created_at_ms);
  out.key("ProvisionedThroughput").begin_object();
  out.key("ReadCapacityUnits").integer(table.throughput.read_units);
  out.key("WriteCapacityUnits").integer(table.throughput.write_units).end_object();
  out.key("ItemCount").integer(backup.items);
  const bool on_demand = table.billing == table::BillingMode::pay_per_request;
  out.key("BillingMode").string(on_demand ? "PAY_PER_REQUEST" : "PROVISIONED");
  out.end_object();
}

void write_indexes(json::Writer& out, const table::Table& table, table::IndexKind kind,
                   std::string_view member) {
  bool begun = false;
  for (const auto& index : table.indexes) {
    if (index.kind != kind) {
      continue;
    }
    if (!begun) {
      out.key(member).begin_array();
      begun = true;
    }
    out.begin_object().key("IndexName").string(index.name);
    table::write_key_schema(out, index.key);
    table::write_projection(out, index.projection);
    if (kind == table::IndexKind::global) {
      out.key("ProvisionedThroughput").begin_object();
      out.key("ReadCapacityUnits").integer(index.throughput.read_units);
      out.key("WriteCapacityUnits").integer(index.throughput.write_units).end_object();
    }
    out.end_object();
  }
  if (begun) {
    out.end_array();
  }
}

void write_features(json::Writer& out, const table::Table& table) {
  out.begin_object();
  write_indexes(out, table, table::IndexKind::local, "LocalSecondaryIndexes");
  write_indexes(out, table, table::IndexKind::global, "GlobalSecondaryIndexes");
  if (table.stream.enabled) {
    out.key("StreamDescription").begin_object().key("StreamEnabled").boolean(true);
    out.key("StreamViewType").string(table::name_of(table.stream.view)).end_object();
  }
  if (table.ttl.enabled()) {
    out.key("TimeToLiveDescription").begin_object().key("TimeToLiveStatus").string("ENABLED");
    out.key("AttributeName").string(table.ttl.attribute).end_object();
  }
  out.end_object();
}

std::string_view status_of(const table::Backup& backup) {
  return backup.available ? "AVAILABLE" : "CREATING";
}

}  // namespace

void check_backup_arn(Constraints& constraints, const std::optional<std::string_view>& arn) {
  constraints.not_null("backupArn", arn);
  constraints.length_min("backupArn", arn, arn_length_min);
  constraints.length_max("backupArn", arn, arn_length_max);
}

Result<std::string> backup_id_in(std::string_view arn) {
  const auto at = arn.rfind(backup_mark);
  if (!arn.starts_with("arn:") || at == std::string_view::npos) {
    return Error{ErrorKind::backup_not_found, "Backup not found: " + std::string(arn), {}};
  }
  return std::string(arn.substr(at + backup_mark.size()));
}

std::string backup_arn(const Services& services, const table::Backup& backup) {
  return services.table_arn(backup.table.name).append(backup_mark).append(backup.id);
}

std::string_view backup_type(const table::Backup& backup) {
  return backup.by_service ? "SYSTEM" : "USER";
}

void write_backup_details(json::Writer& out, const Services& services, const table::Backup& backup) {
  write_details(out, services, backup, status_of(backup));
}

std::string backup_description(const Services& services, const table::Backup& backup,
                               std::string_view status) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("BackupDescription").begin_object();
  write_details(out.key("BackupDetails"), services, backup, status.empty() ? status_of(backup) : status);
  write_source(out.key("SourceTableDetails"), services, backup);
  write_features(out.key("SourceTableFeatureDetails"), backup.table);
  out.end_object().end_object();
  return text;
}

}  // namespace waybill::api::dynamodb
