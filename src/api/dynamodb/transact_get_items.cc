#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "api/dynamodb/cancellation.h"
#include "api/dynamodb/capacity.h"
#include "api/dynamodb/item_request.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/transaction_fields.h"
#include "item/json.h"
#include "table/key.h"
#include "table/validate.h"

namespace waybill::api::dynamodb {
namespace {

struct GetFields {
  std::optional<std::string_view> table_name;
  std::optional<ItemField> key;
  ProjectionFields projection;
  std::optional<json::Value> names;
  bool given = false;
};

struct Request {
  std::vector<store::GetRequest> gets;
  std::vector<std::optional<expression::Projection>> projections;
  std::vector<CancellationReason> reasons;  // of keys that do not fit their tables
  bool cancelled = false;
  CapacityDetail capacity = CapacityDetail::none;
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

// A key that does not fit its table becomes a reason; any other fault is the request's.
Status add_get(const store::Store& store, std::string_view table_name, const item::Item& key,
               Request& request) {
  store::GetRequest get;
  WAYBILL_TRY_ASSIGN(get.table, find_table(store, table_name));
  CancellationReason reason;
  if (auto checked = table::check_key(*get.table, key.view()); !checked) {
    reason.error = std::move(checked).error();
    request.cancelled = true;
  } else {
    get.key = table::primary_key(get.table->key, key.view());
  }
  request.reasons.push_back(std::move(reason));
  request.gets.push_back(std::move(get));
  return {};
}

Status check_distinct(const Request& request) {
  std::unordered_set<std::string> seen;
  for (std::size_t i = 0; i < request.gets.size(); ++i) {
    const auto& get = request.gets[i];
    if (!request.reasons[i].error && !seen.insert(std::to_string(get.table->space) + "/" + get.key).second) {
      return invalid("Transaction request cannot include multiple operations on one item");
    }
  }
  return {};
}

Result<Request> parse(const store::Store& store, const json::Value& body) {
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
  Request request;
  request.capacity = capacity_detail(capacity);
  WAYBILL_TRY_ASSIGN(const auto keys, take_keys(gets));
  for (const auto& get : gets) {
    WAYBILL_TRY_ASSIGN(auto projection, parse_only_projection(get.projection, get.names));
    request.projections.push_back(std::move(projection));
  }
  for (std::size_t i = 0; i < gets.size(); ++i) {
    WAYBILL_TRY(add_get(store, *gets[i].table_name, keys[i], request));
  }
  WAYBILL_TRY(check_distinct(request));
  return request;
}

void append_response(json::Writer& writer, const store::Found& found,
                     const std::optional<expression::Projection>& projection) {
  if (!projection) {
    item::append_json(writer.key("Item").value_place(), found.item.view());
    return;
  }
  std::string projected;
  projection->append_projected(projected, found.item.view());
  item::append_json(writer.key("Item").value_place(), item::ItemView(projected));
}

std::string render(const Request& request, const std::vector<std::optional<store::Found>>& found) {
  constexpr ReadUnits units{true};
  ConsumedByTable consumed;
  std::string out;
  json::Writer writer(out);
  writer.begin_object().key("Responses").begin_array();
  for (std::size_t i = 0; i < found.size(); ++i) {
    writer.begin_object();
    if (found[i]) {
      append_response(writer, *found[i], request.projections[i]);
    }
    writer.end_object();
    consumed.of(request.gets[i].table->name)
        .add_table(transaction_factor * units.of(found[i] ? found[i]->size_bytes : 0));
  }
  writer.end_array();
  consumed.append_json(writer, request.capacity, ConsumedUnits::Purpose::read);
  writer.end_object();
  return out;
}

Status check_size(const std::vector<std::optional<store::Found>>& found) {
  uint64_t bytes = 0;
  for (const auto& item : found) {
    bytes += item ? item->size_bytes : 0;
  }
  return check_transaction_bytes(bytes);
}

Result<std::string> answer(const store::Store& store, const Request& request) {
  WAYBILL_TRY_ASSIGN(const auto found, store.get_together(request.gets));
  WAYBILL_TRY(check_size(found));
  return render(request, found);
}

}  // namespace

void transact_get_items(Call call, const json::Value& body) {
  const auto request = parse(call.store(), body);
  if (!request) {
    call.fail(request.error());
  } else if (request->cancelled) {
    call.fail_with_body(400, cancellation_body(request->reasons));
  } else {
    auto result = answer(call.store(), *request);
    call.answer(std::move(result));
  }
}

}  // namespace waybill::api::dynamodb
