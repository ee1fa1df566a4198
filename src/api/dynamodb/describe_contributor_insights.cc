#include "api/dynamodb/fields.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_lookup.h"

namespace waybill::api::dynamodb {
namespace {

Result<std::string> decide(const store::Store& store, const json::Value& body) {
  WAYBILL_TRY_ASSIGN(const auto table, find_named_table(store, body));
  Reading reading;
  const auto index = Fields(body, reading).string("IndexName");
  WAYBILL_TRY(reading.status());
  if (index && !table->find_index(*index)) {
    return Error{ErrorKind::not_found,
                 "Requested resource not found: Index: " + std::string(*index) + " not found",
                 {}};
  }
  std::string text;
  json::Writer out(text);
  out.begin_object().key("TableName").string(table->name);
  if (index) {
    out.key("IndexName").string(*index);
  }
  out.key("ContributorInsightsStatus").string("DISABLED").end_object();
  return text;
}

}  // namespace

void describe_contributor_insights(Call call, const json::Value& body) {
  call.answer(decide(call.store(), body));
}

}  // namespace waybill::api::dynamodb
