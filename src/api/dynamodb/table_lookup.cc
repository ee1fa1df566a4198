#include "api/dynamodb/table_lookup.h"

#include "api/dynamodb/fields.h"

namespace waybill::api::dynamodb {

Error table_not_found(std::string_view name) {
  return Error{
      ErrorKind::not_found, "Requested resource not found: Table: " + std::string(name) + " not found", {}};
}

Result<table::TablePtr> find_named_table(const store::Store& store, const json::Value& body) {
  Reading reading;
  const auto given = Fields(body, reading).string("TableName");
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY_ASSIGN(const auto name, existing_table_name(given));
  WAYBILL_TRY(store.may_know(name));
  auto table = store.find_table(name);
  if (!table) {
    return table_not_found(name);
  }
  return table;
}

Result<std::string_view> table_name_in_arn(const std::optional<std::string_view>& arn) {
  if (!arn || arn->empty()) {
    return invalid("Invalid TableArn");
  }
  const auto name = table_name_of(*arn);
  if (name.size() == arn->size() || name.size() < name_length_min || name.size() > name_length_max) {
    return invalid("Invalid TableArn: Invalid ResourceArn provided as input " + std::string(*arn));
  }
  return name;
}

}  // namespace waybill::api::dynamodb
