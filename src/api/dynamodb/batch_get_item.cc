#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "api/dynamodb/capacity.h"
#include "api/dynamodb/item_request.h"
#include "api/dynamodb/operations.h"
#include "item/json.h"
#include "table/key.h"
#include "table/validate.h"

namespace waybill::api::dynamodb {
namespace {

constexpr std::size_t keys_max = 100;
constexpr uint64_t response_bytes_max = 16 * 1024 * 1024;

// The keys that are asked of one table. Views live as long as the request's JSON.
struct TableFields {
  std::string_view name;
  std::vector<ItemField> keys;
  bool keys_given = false;
  ProjectionFields projection;
  std::optional<json::Value> names;
  std::optional<bool> consistent;
};

struct TableRequest {
  const TableFields* fields = nullptr;
  table::TablePtr table;
  std::vector<item::Item> keys;
  std::optional<expression::Projection> projection;
};

void read_keys(const Fields& fields, TableFields& table) {
  const auto keys = fields.list("Keys");
  if (!keys) {
    return;
  }
  table.keys_given = true;
  // One more than allowed is enough to refuse the request.
  for (json::Elements elements(*keys); elements.next() && table.keys.size() <= keys_max;) {
    if (!elements.value().is_object()) {
      fields.reading().fail(std::string(parser_cast_failure));
      return;
    }
    table.keys.emplace_back(elements.value(), fields.reading());
  }
}

std::vector<TableFields> read_tables(const json::Value& request_items, Reading& reading) {
  std::vector<TableFields> tables;
  for (json::Members members(request_items); members.next() && tables.size() <= keys_max;) {
    TableFields table;
    table.name = members.key();
    const auto fields = read_structure(members.value(), "KeysAndAttributes", reading);
    if (!fields) {
      continue;
    }
    read_keys(*fields, table);
    table.projection = ProjectionFields::read(*fields);
    table.names = read_names(*fields);
    table.consistent = fields->boolean("ConsistentRead");
    tables.push_back(std::move(table));
  }
  return tables;
}

void check_tables(Constraints& constraints, const std::vector<TableFields>& tables) {
  for (const auto& table : tables) {
    const std::string path = "requestItems." + std::string(table.name) + ".member.";
    check_table_name(constraints, table.name);
    constraints.not_null(path + "keys", table.keys_given);
    if (table.keys_given && table.keys.empty()) {
      constraints.violated(path + "keys", length_at_least(1));
    }
    if (table.keys.size() > keys_max) {
      constraints.violated("RequestItems." + std::string(table.name) + ".member.Keys",
                           length_at_most(keys_max));
    }
    table.projection.check(constraints, path + "attributesToGet");
  }
}

Status check_count(const std::vector<TableFields>& tables) {
  std::size_t keys = 0;
  for (const auto& table : tables) {
    keys += table.keys.size();
  }
  return keys > keys_max ? invalid("Too many items requested for the BatchGetItem call") : Status();
}

Status check_distinct(const std::vector<item::Item>& keys) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (item::equal(keys[i].view(), keys[j].view())) {
        return invalid("Provided list of item keys contains duplicates");
      }
    }
  }
  return {};
}

Result<TableRequest> parse_table(TableFields& fields) {
  TableRequest request;
  request.fields = &fields;
  for (auto& field : fields.keys) {
    auto key = std::move(field).take();
    if (!key) {
      return without_envelope(std::move(key).error());
    }
    request.keys.push_back(*std::move(key));
  }
  WAYBILL_TRY(check_distinct(request.keys));
  WAYBILL_TRY_ASSIGN(request.projection, parse_only_projection(fields.projection, fields.names));
  return request;
}

Result<std::vector<TableRequest>> parse(const store::Store& store, std::vector<TableFields>& tables) {
  std::vector<TableRequest> requests;
  for (auto& table : tables) {
    WAYBILL_TRY_ASSIGN(auto request, parse_table(table));
    requests.push_back(std::move(request));
  }
  for (auto& request : requests) {
    WAYBILL_TRY_ASSIGN(request.table, find_table(store, request.fields->name));
    for (const auto& key : request.keys) {
      WAYBILL_TRY(table::check_key(*request.table, key.view()));
    }
  }
  return requests;
}

// Writes "Responses" as it reads, and keeps what it had no room for.
class Answer {
 public:
  Answer(const store::Store& store, CapacityDetail capacity)
      : store_(store), capacity_(capacity), writer_(out_) {}

  Result<std::string> render(const std::vector<TableRequest>& requests);

 private:
  Status append_table(const TableRequest& request);
  void append_item(const TableRequest& request, item::ItemView item);
  void append_unprocessed(const TableRequest& request, std::size_t from);

  const store::Store& store_;
  CapacityDetail capacity_;
  std::string out_;
  json::Writer writer_;
  std::string projected_;
  std::vector<std::pair<const TableRequest*, std::size_t>> unprocessed_;
  ConsumedByTable consumed_;
  uint64_t bytes_ = 0;
};

Status Answer::append_table(const TableRequest& request) {
  const ReadUnits units{request.fields->consistent.value_or(false)};
  auto& consumed = consumed_.of(request.table->name);
  writer_.key(request.fields->name).begin_array();
  for (std::size_t i = 0; i < request.keys.size(); ++i) {
    WAYBILL_TRY_ASSIGN(
        const auto found,
        store_.get(*request.table, table::primary_key(request.table->key, request.keys[i].view())));
    const uint32_t size_bytes = found ? found->size_bytes : 0;
    if (bytes_ + size_bytes > response_bytes_max) {
      unprocessed_.emplace_back(&request, i);
      bytes_ = response_bytes_max;  // all that follow wait too
      break;
    }
    bytes_ += size_bytes;
    consumed.add_table(units.of(size_bytes));
    count_read(store_, request.table->space, units.of(size_bytes));
    if (found) {
      append_item(request, found->item.view());
    }
  }
  writer_.end_array();
  return {};
}

void Answer::append_item(const TableRequest& request, item::ItemView item) {
  if (!request.projection) {
    item::append_json(writer_.value_place(), item);
    return;
  }
  projected_.clear();
  request.projection->append_projected(projected_, item);
  item::append_json(writer_.value_place(), item::ItemView(projected_));
}

// The rest of a table's request, ready to be sent again.
void Answer::append_unprocessed(const TableRequest& request, std::size_t from) {
  const auto& fields = *request.fields;
  writer_.key(fields.name).begin_object().key("Keys").begin_array();
  for (std::size_t i = from; i < request.keys.size(); ++i) {
    item::append_json(writer_.value_place(), request.keys[i].view());
  }
  writer_.end_array();
  if (fields.consistent) {
    writer_.key("ConsistentRead").boolean(*fields.consistent);
  }
  if (fields.projection.expression) {
    writer_.key("ProjectionExpression").string(*fields.projection.expression);
  }
  if (fields.names) {
    writer_.key("ExpressionAttributeNames").begin_object();
    for (json::Members members(*fields.names); members.next();) {
      writer_.key(members.key()).string(members.value().string());
    }
    writer_.end_object();
  }
  if (fields.projection.attributes) {
    writer_.key("AttributesToGet").begin_array();
    for (const auto name : *fields.projection.attributes) {
      writer_.string(name);
    }
    writer_.end_array();
  }
  writer_.end_object();
}

Result<std::string> Answer::render(const std::vector<TableRequest>& requests) {
  writer_.begin_object().key("Responses").begin_object();
  for (const auto& request : requests) {
    WAYBILL_TRY(append_table(request));
  }
  writer_.end_object().key("UnprocessedKeys").begin_object();
  for (const auto& [request, from] : unprocessed_) {
    append_unprocessed(*request, from);
  }
  writer_.end_object();
  consumed_.append_json(writer_, capacity_);
  writer_.end_object();
  return std::move(out_);
}

Result<std::string> answer(const store::Store& store, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto request_items = fields.map("RequestItems", "KeysAndAttributes");
  const auto capacity = fields.string("ReturnConsumedCapacity");
  std::vector<TableFields> tables;
  if (request_items) {
    tables = read_tables(*request_items, reading);
  }
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  constraints.not_null("requestItems", request_items);
  if (request_items && request_items->size() == 0) {
    constraints.violated("RequestItems", length_at_least(1));
  }
  check_capacity_word(constraints, capacity);
  check_tables(constraints, tables);
  WAYBILL_TRY(constraints.status());
  WAYBILL_TRY(check_count(tables));
  WAYBILL_TRY_ASSIGN(const auto requests, parse(store, tables));
  return Answer(store, capacity_detail(capacity)).render(requests);
}

}  // namespace

void batch_get_item(Call call, const json::Value& body) {
  auto result = answer(call.store(), body);
  call.answer(std::move(result));
}

}  // namespace waybill::api::dynamodb
