#include "api/dynamodb/fields.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_lookup.h"

namespace waybill::api::dynamodb {
namespace {

Result<table::TablePtr> parse(const store::Store& store, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto arn = fields.string("ResourceArn");
  // All tags fit one answer, so no token is ever given out: one that comes in asks for nothing more.
  static_cast<void>(fields.string("NextToken"));
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY_ASSIGN(const auto name, table_name_in_arn(arn));
  WAYBILL_TRY(store.may_know(name));
  auto table = store.find_table(name);
  if (!table) {
    return Error{ErrorKind::not_found,
                 "Requested resource not found: ResourcArn: " + std::string(*arn) + " not found",
                 {}};
  }
  return table;
}

std::string render(const table::Table& table) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("Tags").begin_array();
  for (const auto& [key, value] : table.tags) {
    out.begin_object().key("Key").string(key).key("Value").string(value).end_object();
  }
  out.end_array().end_object();
  return text;
}

}  // namespace

void list_tags_of_resource(Call call, const json::Value& body) {
  const auto table = parse(call.store(), body);
  if (!table) {
    call.fail(table.error());
    return;
  }
  call.answer(render(**table));
}

}  // namespace waybill::api::dynamodb
