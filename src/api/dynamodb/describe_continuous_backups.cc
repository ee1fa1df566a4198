#include "api/dynamodb/errors.h"
#include "api/dynamodb/fields.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_lookup.h"

namespace waybill::api::dynamodb {

void describe_continuous_backups(Call call, const json::Value& body) {
  const auto table = find_named_table(call.store(), body);
  if (!table && table.error().kind == ErrorKind::not_found) {
    // The one operation on tables that has a name and a text of its own for this.
    const auto name = table_name_of(body.find("TableName")->string());
    call.fail_with_body(400, error_body("TableNotFoundException", "Table not found: " + std::string(name)));
    return;
  }
  if (!table) {
    call.fail(table.error());
    return;
  }
  // The service calls backups "enabled" for every table; what can be switched is recovery to a point in time.
  call.answer(std::string(R"({"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED",)"
                          R"("PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}}})"));
}

}  // namespace waybill::api::dynamodb
