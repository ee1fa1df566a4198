#include "api/dynamodb/read_transaction.h"

#include <string>
#include <unordered_set>
#include <utility>

#include "api/dynamodb/transaction_fields.h"
#include "item/json.h"
#include "table/key.h"
#include "table/validate.h"

namespace waybill::api::dynamodb {
namespace {

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

std::string render(const store::Store& store, const ReadTransaction& request,
                   const std::vector<std::optional<store::Found>>& found) {
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
    const double used = transaction_factor * units.of(found[i] ? found[i]->size_bytes : 0);
    consumed.of(request.gets[i].table->name).add_table(used);
    count_read(store, request.gets[i].table->space, used);
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

Result<std::string> read(const store::Store& store, const ReadTransaction& request) {
  WAYBILL_TRY_ASSIGN(const auto found, store.get_together(request.gets));
  WAYBILL_TRY(check_size(found));
  return render(store, request, found);
}

}  // namespace

void ReadTransaction::add(table::TablePtr table, item::ItemView key,
                          std::optional<expression::Projection> projection) {
  store::GetRequest get{std::move(table), {}};
  CancellationReason reason;
  if (auto checked = table::check_key(*get.table, key); !checked) {
    reason.error = std::move(checked).error();
    cancelled = true;
  } else {
    get.key = table::primary_key(get.table->key, key);
  }
  reasons.push_back(std::move(reason));
  gets.push_back(std::move(get));
  projections.push_back(std::move(projection));
}

Status ReadTransaction::check_distinct() const {
  std::unordered_set<std::string> seen;
  for (std::size_t i = 0; i < gets.size(); ++i) {
    const auto& get = gets[i];
    if (!reasons[i].error && !seen.insert(std::to_string(get.table->space) + "/" + get.key).second) {
      return invalid("Transaction request cannot include multiple operations on one item");
    }
  }
  return {};
}

void answer(Call call, const ReadTransaction& request) {
  if (request.cancelled) {
    call.fail_with_body(400, cancellation_body(request.reasons));
    return;
  }
  auto result = read(call.store(), request);
  call.answer(std::move(result));
}

}  // namespace waybill::api::dynamodb
