#include "api/dynamodb/continuous_backups.h"

#include "api/dynamodb/fields.h"
#include "api/dynamodb/table_description.h"
#include "api/dynamodb/table_lookup.h"

namespace waybill::api::dynamodb {

Result<table::TablePtr> find_table_for_backups(const store::Store& store, const json::Value& body) {
  auto table = find_named_table(store, body);
  if (!table && table.error().kind == ErrorKind::not_found) {
    const auto name = table_name_of(body.find("TableName")->string());
    return Error{ErrorKind::table_not_found, "Table not found: " + std::string(name), {}};
  }
  return table;
}

std::string continuous_backups_description(const Services& services, const table::Table& table) {
  const auto& recovery = table.recovery;
  std::string text;
  json::Writer out(text);
  out.begin_object().key("ContinuousBackupsDescription").begin_object();
  out.key("ContinuousBackupsStatus").string("ENABLED");
  out.key("PointInTimeRecoveryDescription").begin_object();
  out.key("PointInTimeRecoveryStatus").string(recovery.enabled ? "ENABLED" : "DISABLED");
  if (recovery.enabled) {
    const int64_t now_ms = std::max(services.clock.wall_ms(), recovery.since_ms);
    out.key("RecoveryPeriodInDays").integer(recovery.days);
    write_time(out.key("EarliestRestorableDateTime"), recovery.earliest_ms(now_ms));
    write_time(out.key("LatestRestorableDateTime"), now_ms);
  }
  out.end_object().end_object().end_object();
  return text;
}

}  // namespace waybill::api::dynamodb
