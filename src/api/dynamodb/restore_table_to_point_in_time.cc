#include <utility>

#include "api/dynamodb/operations.h"
#include "api/dynamodb/restore_request.h"
#include "api/dynamodb/table_lookup.h"

namespace waybill::api::dynamodb {
namespace {

Result<RestoreRequest> parse(const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto source_arn = fields.string("SourceTableArn");
  const auto source_name = fields.string("SourceTableName");
  const auto latest = fields.boolean("UseLatestRestorableTime");
  const auto time_ms = fields.time_ms("RestoreDateTime");
  const auto given = read_restore(fields);
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  constraints.name_pattern("sourceTableName", source_name);
  constraints.length_min("sourceTableName", source_name, name_length_min);
  constraints.length_max("sourceTableName", source_name, name_length_max);
  check_restore(constraints, given);
  WAYBILL_TRY(constraints.status());
  if (source_arn.has_value() == source_name.has_value()) {
    return invalid("Exactly one of SourceTableArn and SourceTableName must be given");
  }
  if (latest.value_or(false) == time_ms.has_value()) {
    return invalid("Exactly one of RestoreDateTime and UseLatestRestorableTime must be given");
  }
  RestoreRequest request;
  if (source_arn) {
    WAYBILL_TRY_ASSIGN(request.source.table, table_name_in_arn(source_arn));
  } else {
    request.source.table = *source_name;
  }
  request.source.time_ms = time_ms;
  WAYBILL_TRY_ASSIGN(request.wanted, take_restore(given));
  return request;
}

}  // namespace

void restore_table_to_point_in_time(Call call, const json::Value& body) {
  begin_restore(std::move(call), parse(body));
}

}  // namespace waybill::api::dynamodb
