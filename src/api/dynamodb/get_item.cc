#include <utility>

#include "api/dynamodb/capacity.h"
#include "api/dynamodb/item_request.h"
#include "api/dynamodb/operations.h"
#include "item/json.h"
#include "table/key.h"
#include "table/validate.h"

namespace waybill::api::dynamodb {
namespace {

struct Request {
  table::TablePtr table;
  std::string key;
  std::optional<expression::Projection> projection;
  ReadUnits units;
  CapacityDetail capacity = CapacityDetail::none;
};

Result<Request> parse(const store::Store& store, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto table_name = fields.string("TableName");
  ItemField key(fields.map("Key", "AttributeValue"), reading);
  const auto projection = ProjectionFields::read(fields);
  const auto names = read_names(fields);
  const bool consistent = fields.boolean("ConsistentRead").value_or(false);
  const auto capacity = fields.string("ReturnConsumedCapacity");
  WAYBILL_TRY(reading.status());

  Constraints constraints;
  constraints.not_null("key", key.present());
  check_table_name(constraints, table_name);
  check_capacity_word(constraints, capacity);
  projection.check(constraints, "attributesToGet");
  WAYBILL_TRY(constraints.status());

  WAYBILL_TRY(check_only_projection(projection, names));
  auto item = std::move(key).take();
  if (!item) {
    return without_envelope(std::move(item).error());
  }
  Request request;
  WAYBILL_TRY_ASSIGN(request.projection, parse_only_projection(projection, names));
  WAYBILL_TRY_ASSIGN(request.table, find_table(store, *table_name));
  WAYBILL_TRY(table::check_key(*request.table, item->view()));
  request.key = table::primary_key(request.table->key, item->view());
  request.units.consistent = consistent;
  request.capacity = capacity_detail(capacity);
  return request;
}

void append_item(std::string& out, const Request& request, item::ItemView item) {
  if (!request.projection) {
    item::append_json(out, item);
    return;
  }
  std::string projected;
  request.projection->append_projected(projected, item);
  item::append_json(out, item::ItemView(projected));
}

std::string render(const Request& request, const std::optional<store::Found>& found, double units) {
  std::string out;
  out.reserve(found ? 128 + found->item.encoded.size() * 2 : 128);
  json::Writer writer(out);
  writer.begin_object();
  if (found) {
    append_item(writer.key("Item").value_place(), request, found->item.view());
  }
  if (request.capacity != CapacityDetail::none) {
    ConsumedUnits consumed(request.table->name);
    consumed.add_table(units);
    writer.key("ConsumedCapacity");
    consumed.append_json(writer, request.capacity);
  }
  writer.end_object();
  return out;
}

Result<std::string> answer(const store::Store& store, const json::Value& body) {
  WAYBILL_TRY_ASSIGN(const Request request, parse(store, body));
  WAYBILL_TRY_ASSIGN(const auto found, store.get(*request.table, request.key));
  const double units = request.units.of(found ? found->size_bytes : 0);
  count_read(store, request.table->space, units);
  return render(request, found, units);
}

}  // namespace

void get_item(Call call, const json::Value& body) {
  auto result = answer(call.store(), body);
  call.answer(std::move(result));
}

}  // namespace waybill::api::dynamodb
