#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "api/dynamodb/operations.h"
#include "api/dynamodb/write.h"
#include "table/key.h"
#include "table/validate.h"

namespace waybill::api::dynamodb {
namespace {

constexpr std::size_t writes_max = 25;

// One PutRequest or DeleteRequest.
struct WriteField {
  std::string_view table_name;
  store::ActionKind kind = store::ActionKind::put;
  std::optional<ItemField> item;
  bool exactly_one = false;  // of the two kinds of request
};

struct BatchFields {
  std::vector<std::pair<std::string_view, std::size_t>> tables;  // name and number of writes
  std::vector<WriteField> writes;
};

WriteField read_write(std::string_view table_name, const Fields& fields) {
  WriteField write;
  write.table_name = table_name;
  const auto put = fields.structure("PutRequest", "PutRequest");
  const auto remove = fields.structure("DeleteRequest", "DeleteRequest");
  write.exactly_one = put.has_value() != remove.has_value();
  if (remove) {
    write.kind = store::ActionKind::remove;
    write.item.emplace(remove->map("Key", "AttributeValue"), fields.reading());
  }
  if (put) {
    write.kind = store::ActionKind::put;
    write.item.emplace(put->map("Item", "AttributeValue"), fields.reading());
  }
  return write;
}

BatchFields read_batch(const json::Value& request_items, Reading& reading) {
  BatchFields batch;
  for (json::Members members(request_items); members.next() && batch.tables.size() <= writes_max;) {
    if (!members.value().is_array()) {
      reading.fail(std::string(parser_cast_failure));
      continue;
    }
    batch.tables.emplace_back(members.key(), members.value().size());
    for (json::Elements elements(members.value()); elements.next() && batch.writes.size() <= writes_max;) {
      if (const auto fields = read_structure(elements.value(), "WriteRequest", reading)) {
        batch.writes.push_back(read_write(members.key(), *fields));
      }
    }
  }
  return batch;
}

void check_tables(Constraints& constraints, const BatchFields& batch) {
  for (const auto& [name, count] : batch.tables) {
    check_table_name(constraints, name);
    if (count == 0) {
      constraints.violated("requestItems." + std::string(name) + ".member", length_at_least(1));
    }
    if (count > writes_max) {
      constraints.violated("requestItems",
                           "{" + std::string(name) + "=[" + std::to_string(count) + " requests]}",
                           "Map value must satisfy constraint: [" + length_at_most(writes_max) + ", " +
                               length_at_least(1) + "]");
    }
  }
}

Status check_count(const BatchFields& batch) {
  std::size_t writes = 0;
  for (const auto& [name, count] : batch.tables) {
    writes += count;
  }
  return writes > writes_max ? invalid("Too many items requested for the BatchWriteItem call") : Status();
}

Status check_writes(const BatchFields& batch) {
  Constraints constraints;
  for (const auto& write : batch.writes) {
    if (!write.exactly_one) {
      return invalid(
          "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
          "supported datatypes");
    }
    const bool put = write.kind == store::ActionKind::put;
    constraints.not_null("requestItems." + std::string(write.table_name) + ".member." +
                             (put ? "putRequest.item" : "deleteRequest.key"),
                         write.item->present());
  }
  return constraints.status();
}

// A batch tells a key of the wrong type as it tells a wrong Key.
Status check_put(const table::Table& table, item::ItemView item) {
  for (const auto* key : {&table.key.partition, table.key.sort ? &*table.key.sort : nullptr}) {
    const auto value = key != nullptr ? item.find(key->name) : std::nullopt;
    if (value && value->type() != key->type) {
      return invalid("The provided key element does not match the schema");
    }
  }
  WAYBILL_TRY(table::check_item_key(table, item));
  return table::check_index_keys(table, item, table::Change::put);
}

// The part that needs no table.
Result<store::Action> take_action(WriteField& write) {
  store::Action action;
  action.kind = write.kind;
  auto item = std::move(*write.item).take();
  if (!item) {
    return without_envelope(std::move(item).error());
  }
  action.item = *std::move(item);
  if (action.kind == store::ActionKind::put) {
    action.item_bytes = item::size_bytes(action.item.view());
    WAYBILL_TRY(table::check_item_size(action.item_bytes, table::Change::put));
  }
  return action;
}

Status settle_action(const store::Store& store, std::string_view table_name, store::Action& action) {
  WAYBILL_TRY_ASSIGN(action.table, find_table(store, table_name));
  if (action.kind == store::ActionKind::put) {
    WAYBILL_TRY(check_put(*action.table, action.item.view()));
  } else {
    WAYBILL_TRY(table::check_key(*action.table, action.item.view()));
  }
  action.key = table::primary_key(action.table->key, action.item.view());
  return {};
}

Status check_distinct(const std::vector<store::Action>& actions) {
  std::unordered_set<std::string> seen;
  for (const auto& action : actions) {
    if (!seen.insert(std::to_string(action.table->space) + "/" + action.key).second) {
      return invalid("Provided list of item keys contains duplicates");
    }
  }
  return {};
}

struct Batch {
  std::vector<store::Action> actions;
  CapacityDetail capacity = CapacityDetail::none;
  bool metrics = false;
};

Result<Batch> parse(const store::Store& store, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto request_items =
      fields.map("RequestItems", "java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>");
  const auto capacity = fields.string("ReturnConsumedCapacity");
  const auto metrics = fields.string("ReturnItemCollectionMetrics");
  BatchFields written;
  if (request_items) {
    written = read_batch(*request_items, reading);
  }
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  constraints.not_null("requestItems", request_items);
  check_capacity_word(constraints, capacity);
  check_metrics_word(constraints, metrics);
  check_tables(constraints, written);
  WAYBILL_TRY(constraints.status());
  if (written.tables.empty()) {
    return invalid("The requestItems parameter is required for BatchWriteItem");
  }
  WAYBILL_TRY(check_count(written));
  WAYBILL_TRY(check_writes(written));
  Batch batch;
  batch.capacity = capacity_detail(capacity);
  batch.metrics = metrics == "SIZE";
  for (auto& write : written.writes) {
    WAYBILL_TRY_ASSIGN(auto action, take_action(write));
    action.wants_index_units = batch.capacity != CapacityDetail::none;
    batch.actions.push_back(std::move(action));
  }
  for (std::size_t i = 0; i < batch.actions.size(); ++i) {
    WAYBILL_TRY(settle_action(store, written.writes[i].table_name, batch.actions[i]));
  }
  WAYBILL_TRY(check_distinct(batch.actions));
  return batch;
}

// What is left to know of a batch once the store has its writes.
struct Reply {
  std::vector<table::TablePtr> tables;     // of each write
  std::vector<CollectionKey> collections;  // where metrics are wanted
  CapacityDetail capacity = CapacityDetail::none;
};

const Error* first_error(const std::vector<store::Outcome>& outcomes) {
  for (const auto& outcome : outcomes) {
    if (outcome.kind == store::OutcomeKind::failed) {
      return &*outcome.error;
    }
    if (outcome.kind == store::OutcomeKind::refused) {
      return &*outcome.results.front().refusal;
    }
  }
  return nullptr;
}

std::string render(const store::Store& store, const Reply& reply,
                   const std::vector<store::Outcome>& outcomes) {
  std::string out;
  json::Writer writer(out);
  writer.begin_object().key("UnprocessedItems").begin_object().end_object();
  ConsumedByTable consumed;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    consumed.of(reply.tables[i]->name).add_write(outcomes[i].results.front());
  }
  consumed.append_json(writer, reply.capacity);
  append_collections(writer, store, reply.collections);
  writer.end_object();
  return out;
}

// What came of the writes of a transaction, each as if it had been alone. Those that nothing stands against,
// in one that is refused, are not told of.
std::vector<store::Outcome> outcomes_of(const store::Outcome& whole) {
  if (whole.kind == store::OutcomeKind::failed) {
    return {whole};
  }
  std::vector<store::Outcome> outcomes;
  for (const auto& result : whole.results) {
    if (whole.kind != store::OutcomeKind::refused || result.refusal) {
      outcomes.push_back({whole.kind, {result}, std::nullopt});
    }
  }
  return outcomes;
}

void finish(Call call, const Reply& reply, const std::vector<store::Outcome>& outcomes) {
  if (const Error* error = first_error(outcomes)) {
    call.fail(*error);
    return;
  }
  auto body = render(call.store(), reply, outcomes);
  call.answer(std::move(body));
}

// A batch that is denied leaves nothing behind: where some of its writes may be, all are one transaction.
void submit_together(Call call, std::vector<store::Transaction> transactions, Reply reply) {
  store::Transaction whole;
  for (auto& transaction : transactions) {
    whole.actions.push_back(std::move(transaction.actions.front()));
  }
  name_author(call, whole);
  store::Store& store = call.store();
  store.commit(
      std::move(whole), [call = std::move(call), reply = std::move(reply)](store::Outcome outcome) mutable {
        Call::resume(std::move(call), [reply = std::move(reply), outcome = std::move(outcome)](Call back) {
          finish(std::move(back), reply, outcomes_of(outcome));
        });
      });
}

void submit(Call call, Batch batch) {
  store::Store& store = call.store();
  Reply reply;
  reply.capacity = batch.capacity;
  std::vector<store::Transaction> transactions(batch.actions.size());
  for (std::size_t i = 0; i < transactions.size(); ++i) {
    store::Action& action = batch.actions[i];
    reply.tables.push_back(action.table);
    if (batch.metrics && action.table->has_local_indexes()) {
      reply.collections.push_back({action.table, collection_key_of(*action.table, action.item.view())});
    }
    transactions[i].actions.push_back(std::move(action));
    name_author(call, transactions[i]);
  }
  if (call.is_restricted()) {
    submit_together(std::move(call), std::move(transactions), std::move(reply));
    return;
  }
  store.commit_each(std::move(transactions), [call = std::move(call), reply = std::move(reply)](
                                                 std::vector<store::Outcome> outcomes) mutable {
    Call::resume(std::move(call), [reply = std::move(reply), outcomes = std::move(outcomes)](Call back) {
      finish(std::move(back), reply, outcomes);
    });
  });
}

}  // namespace

void batch_write_item(Call call, const json::Value& body) {
  auto batch = parse(call.store(), body);
  if (!batch) {
    call.fail(batch.error());
    return;
  }
  submit(std::move(call), *std::move(batch));
}

}  // namespace waybill::api::dynamodb
