#include <utility>

#include "api/dynamodb/backup_description.h"
#include "api/dynamodb/fields.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_lookup.h"

namespace waybill::api::dynamodb {
namespace {

struct Request {
  std::string table;
  std::string name;
};

Result<Request> parse(const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto table = fields.string("TableName");
  const auto name = fields.string("BackupName");
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  check_table_name(constraints, table);
  constraints.not_null("backupName", name);
  constraints.name_pattern("backupName", name);
  constraints.length_min("backupName", name, name_length_min);
  constraints.length_max("backupName", name, name_length_max);
  WAYBILL_TRY(constraints.status());
  return Request{std::string(table_name_of(*table)), std::string(*name)};
}

std::string render(const Services& services, const table::Backup& backup) {
  std::string text;
  json::Writer out(text);
  out.begin_object();
  write_backup_details(out.key("BackupDetails"), services, backup);
  out.end_object();
  return text;
}

}  // namespace

void create_backup(Call call, const json::Value& body) {
  auto request = parse(body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  auto& store = call.store();
  store.create_backup(std::move(request->table), std::move(request->name),
                      answer_with<table::Backup>(std::move(call), render));
}

}  // namespace waybill::api::dynamodb
