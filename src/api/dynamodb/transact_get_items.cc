#include <string>
#include <utility>
#include <vector>

#include "api/dynamodb/item_request.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/read_transaction.h"
#include "api/dynamodb/transaction_fields.h"

namespace waybill::api::dynamodb {
namespace {

struct GetFields {
  std::optional<std::string_view> table_name;
  std::optional<ItemField> key;
  ProjectionFields projection;
  std::optional<json::Value> names;
  bool given = false;
};

GetFields read_get(const Fields& element) {
  GetFields get;
  const auto fields = read_action(element, "Get");
  if (!fields) {
    return get;
  }
  get.given = true;
  get.table_name = fields->string("TableName");
  get.key.emplace(fields->map("Key", "AttributeValue"), fields->reading());
  get.projection.expression = fields->string("ProjectionExpression");
  get.names = read_names(*fields);
  return get;
}

void check_gets(Constraints& constraints, const std::vector<GetFields>& gets) {
  for (std::size_t i = 0; i < gets.size(); ++i) {
    const std::string path = "transactItems." + std::to_string(i + 1) + ".member.get";
    constraints.not_null(path, gets[i].given);
    if (gets[i].given) {
      constraints.not_null(path + ".key", gets[i].key->present());
      check_table_name(constraints, gets[i].table_name, path + ".tableName");
    }
  }
}

Result<std::vector<item::Item>> take_keys(std::vector<GetFields>& gets) {
  std::vector<item::Item> keys;
  for (auto& get : gets) {
    auto key = std::move(*get.key).take();
    if (!key) {
      return without_envelope(std::move(key).error());
    }
    keys.push_back(*std::move(key));
  }
  return keys;
}

Result<ReadTransaction> parse(const store::Store& store, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto elements = read_transact_items(fields);
  const auto capacity = fields.string("ReturnConsumedCapacity");
  std::vector<GetFields> gets;
  gets.reserve(elements.taken.size());
  for (const auto& element : elements.taken) {
    gets.push_back(read_get(element));
  }
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  elements.check(constraints);
  check_capacity_word(constraints, capacity);
  check_gets(constraints, gets);
  WAYBILL_TRY(constraints.status());
  ReadTransaction request;
  request.capacity = capacity_detail(capacity);
  WAYBILL_TRY_ASSIGN(const auto keys, take_keys(gets));
  std::vector<std::optional<expression::Projection>> projections;
  for (const auto& get : gets) {
    WAYBILL_TRY_ASSIGN(auto projection, parse_only_projection(get.projection, get.names));
    projections.push_back(std::move(projection));
  }
  for (std::size_t i = 0; i < gets.size(); ++i) {
    WAYBILL_TRY_ASSIGN(auto table, find_table(store, *gets[i].table_name));
    request.add(std::move(table), keys[i].view(), std::move(projections[i]));
  }
  WAYBILL_TRY(request.check_distinct());
  return request;
}

}  // namespace

void transact_get_items(Call call, const json::Value& body) {
  const auto request = parse(call.store(), body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  answer(std::move(call), *request);
}

}  // namespace waybill::api::dynamodb
