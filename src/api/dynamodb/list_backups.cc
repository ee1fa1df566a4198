#include "api/dynamodb/backup_description.h"
#include "api/dynamodb/fields.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_description.h"

namespace waybill::api::dynamodb {
namespace {

constexpr int64_t listed_max = 100;

struct Request {
  std::optional<std::string_view> table;
  std::optional<int64_t> from_ms;
  std::optional<int64_t> to_ms;
  std::optional<std::string> after;  // an id
  std::optional<std::string_view> type;
  std::size_t limit = listed_max;
};

Result<Request> parse(const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  Request request;
  request.table = fields.string("TableName");
  const auto limit = fields.integer("Limit");
  request.from_ms = fields.time_ms("TimeRangeLowerBound");
  request.to_ms = fields.time_ms("TimeRangeUpperBound");
  const auto after = fields.string("ExclusiveStartBackupArn");
  request.type = fields.string("BackupType");
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  if (request.table) {
    check_table_name(constraints, request.table);
  }
  constraints.value_min("limit", limit, 1);
  constraints.value_max("limit", limit, listed_max);
  if (after) {
    check_backup_arn(constraints, after);
  }
  constraints.one_of("backupType", request.type, {"USER", "SYSTEM", "AWS_BACKUP", "ALL"});
  WAYBILL_TRY(constraints.status());
  if (after) {
    WAYBILL_TRY_ASSIGN(request.after, backup_id_in(*after));
  }
  if (request.table) {
    request.table = table_name_of(*request.table);
  }
  request.limit = static_cast<std::size_t>(limit.value_or(listed_max));
  return request;
}

bool is_wanted(const Request& request, const table::Backup& backup) {
  return (!request.table || backup.table.name == *request.table) &&
         (!request.from_ms || backup.created_ms >= *request.from_ms) &&
         (!request.to_ms || backup.created_ms < *request.to_ms) &&
         (!request.after || backup.id > *request.after) &&
         (!request.type || *request.type == "ALL" || *request.type == backup_type(backup));
}

void write_summary(json::Writer& out, const Services& services, const table::Backup& backup) {
  out.begin_object();
  out.key("TableName").string(backup.table.name);
  out.key("TableId").string(backup.table.uuid);
  out.key("TableArn").string(services.table_arn(backup.table.name));
  out.key("BackupArn").string(backup_arn(services, backup));
  out.key("BackupName").string(backup.name);
  write_time(out.key("BackupCreationDateTime"), backup.created_ms);
  if (backup.expires_ms != 0) {
    write_time(out.key("BackupExpiryDateTime"), backup.expires_ms);
  }
  out.key("BackupStatus").string(backup.available ? "AVAILABLE" : "CREATING");
  out.key("BackupType").string(backup_type(backup));
  out.key("BackupSizeBytes").integer(backup.bytes);
  out.end_object();
}

Result<std::string> list(const Call& call, const json::Value& body) {
  const Services& services = call.services();
  WAYBILL_TRY_ASSIGN(const auto request, parse(body));
  std::string text;
  json::Writer out(text);
  out.begin_object().key("BackupSummaries").begin_array();
  std::size_t listed = 0;
  std::string last_arn;
  bool more = false;
  for (const auto& backup : call.store().backups()) {
    if (!is_wanted(request, *backup)) {
      continue;
    }
    if (listed++ == request.limit) {
      more = true;
      break;
    }
    last_arn = backup_arn(services, *backup);
    write_summary(out, services, *backup);
  }
  out.end_array();
  if (more) {
    out.key("LastEvaluatedBackupArn").string(last_arn);
  }
  out.end_object();
  return text;
}

}  // namespace

void list_backups(Call call, const json::Value& body) {
  auto result = list(call, body);
  call.answer(std::move(result));
}

}  // namespace waybill::api::dynamodb
