#include <utility>

#include "api/dynamodb/continuous_backups.h"
#include "api/dynamodb/fields.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_lookup.h"

namespace waybill::api::dynamodb {
namespace {

constexpr int64_t days_max = 35;

struct Request {
  bool enabled = false;
  std::optional<int64_t> days;
};

Result<Request> parse(const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto settings =
      fields.structure("PointInTimeRecoverySpecification", "PointInTimeRecoverySpecification");
  std::optional<bool> enabled;
  Request request;
  if (settings) {
    enabled = settings->boolean("PointInTimeRecoveryEnabled");
    request.days = settings->integer("RecoveryPeriodInDays");
  }
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  constraints.not_null("pointInTimeRecoverySpecification", settings);
  if (settings) {
    constraints.not_null("pointInTimeRecoverySpecification.pointInTimeRecoveryEnabled", enabled);
    constraints.value_min("pointInTimeRecoverySpecification.recoveryPeriodInDays", request.days, 1);
    constraints.value_max("pointInTimeRecoverySpecification.recoveryPeriodInDays", request.days, days_max);
  }
  WAYBILL_TRY(constraints.status());
  request.enabled = *enabled;
  if (!request.enabled && request.days) {
    return invalid("RecoveryPeriodInDays can only be given where PointInTimeRecoveryEnabled is true");
  }
  return request;
}

table::Table decide(const Request& request, table::Table table) {
  auto& recovery = table.recovery;
  if (!request.enabled) {
    recovery = table::Recovery();
    return table;
  }
  if (!recovery.enabled) {
    recovery = table::Recovery();
    recovery.enabled = true;
  }
  recovery.days = request.days.value_or(recovery.days);
  return table;
}

}  // namespace

void update_continuous_backups(Call call, const json::Value& body) {
  const auto table = find_table_for_backups(call.store(), body);
  const auto request = table ? parse(body) : Result<Request>(table.error());
  if (!request) {
    call.fail(request.error());
    return;
  }
  auto& store = call.store();
  store.change_table((*table)->name,
                     [request = *request](const table::Table& current) -> Result<table::Table> {
                       return decide(request, current);
                     },
                     answer_with(std::move(call), continuous_backups_description));
}

}  // namespace waybill::api::dynamodb
