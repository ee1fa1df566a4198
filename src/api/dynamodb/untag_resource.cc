#include <algorithm>
#include <utility>

#include "api/dynamodb/fields.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_lookup.h"

namespace waybill::api::dynamodb {
namespace {

struct Request {
  std::string table;
  std::vector<std::string> keys;
};

Result<Request> parse(const store::Store& store, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto arn = fields.string("ResourceArn");
  const auto keys = fields.strings("TagKeys");
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY_ASSIGN(const auto name, table_name_in_arn(arn));
  if (!keys || keys->empty()) {
    return invalid("Atleast one Tag Key needs to be provided as Input.");
  }
  WAYBILL_TRY(store.may_know(name));
  if (!store.find_table(name)) {
    return Error{ErrorKind::not_found, "Requested resource not found", {}};
  }
  return Request{std::string(name), std::vector<std::string>(keys->begin(), keys->end())};
}

Result<table::Table> decide(table::Table table, const std::vector<std::string>& keys) {
  std::erase_if(table.tags, [&](const auto& tag) {
    return std::find(keys.begin(), keys.end(), tag.first) != keys.end();
  });
  return table;
}

}  // namespace

void untag_resource(Call call, const json::Value& body) {
  auto request = parse(call.store(), body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  auto& store = call.store();
  store.change_table(
      request->table,
      [keys = std::move(request->keys)](const table::Table& current) { return decide(current, keys); },
      answer_with(std::move(call), [](const Services&, const table::Table&) { return "{}"; }));
}

}  // namespace waybill::api::dynamodb
