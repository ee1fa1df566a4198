#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "api/dynamodb/cancellation.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/transact_write_fields.h"
#include "table/key.h"
#include "table/validate.h"

namespace waybill::api::dynamodb {
namespace {

constexpr std::size_t token_length_max = 36;

struct Request {
  store::Transaction transaction;
  std::vector<CancellationReason> reasons;  // of actions that do not fit their tables
  bool cancelled = false;
  uint64_t bytes = 0;
  CapacityDetail capacity = CapacityDetail::none;
  bool metrics = false;
};

// Sets the key as soon as it is known to be one: the same item twice is told before what else is wrong.
Status check_against_table(store::Action& action) {
  const bool put = action.kind == store::ActionKind::put;
  WAYBILL_TRY(put ? table::check_item_key(*action.table, action.item.view())
                  : table::check_key(*action.table, action.item.view()));
  action.key = table::primary_key(action.table->key, action.item.view());
  if (put) {
    return table::check_index_keys(*action.table, action.item.view(), table::Change::put);
  }
  return action.update ? check_update(*action.table, *action.update) : Status();
}

// Wrong values are told before anything else, in the order of the actions.
Result<std::vector<item::Item>> take_items(std::vector<ActionFields>& actions) {
  std::vector<item::Item> items;
  for (auto& action : actions) {
    auto item = std::move(*action.item).take();
    if (!item) {
      return without_envelope(std::move(item).error());
    }
    items.push_back(*std::move(item));
  }
  return items;
}

// The parts of the action that need no table.
Result<store::Action> parse_action(const ActionFields& fields, item::Item item) {
  store::Action action;
  action.kind = fields.kind;
  action.item = std::move(item);
  WAYBILL_TRY(check_together(fields.expressions, fields.kind));
  WAYBILL_TRY_ASSIGN(auto parsed, parse_write_expressions(fields.expressions, fields.kind));
  action.condition = std::move(parsed.condition);
  action.update = std::move(parsed.update);
  action.wants_item_on_failure = fields.on_failure == "ALL_OLD";
  if (action.kind == store::ActionKind::put) {
    action.item_bytes = item::size_bytes(action.item.view());
    WAYBILL_TRY(table::check_item_size(action.item_bytes, table::Change::put));
  }
  return action;
}

// All that can be told without a table is told before any table is looked for.
Result<std::vector<store::Action>> parse_actions(std::vector<ActionFields>& fields) {
  WAYBILL_TRY_ASSIGN(auto items, take_items(fields));
  std::vector<store::Action> actions;
  actions.reserve(fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    WAYBILL_TRY_ASSIGN(auto action, parse_action(fields[i], std::move(items[i])));
    actions.push_back(std::move(action));
  }
  return actions;
}

// A fault that shows only beside the table becomes a reason of the cancellation; any other is the request's.
Status add_action(const store::Store& store, std::string_view table_name, store::Action action,
                  Request& request) {
  WAYBILL_TRY_ASSIGN(action.table, find_table(store, table_name));
  CancellationReason reason;
  if (auto checked = check_against_table(action); !checked) {
    if (refuses_request(checked.error())) {
      return checked;
    }
    reason.error = std::move(checked).error();
    request.cancelled = true;
  }
  action.wants_index_units = request.capacity != CapacityDetail::none;
  request.bytes += item::size_bytes(action.item.view());
  request.reasons.push_back(std::move(reason));
  request.transaction.actions.push_back(std::move(action));
  return {};
}

Status check_distinct(const Request& request) {
  std::unordered_set<std::string> seen;
  for (const auto& action : request.transaction.actions) {
    if (!action.key.empty() && !seen.insert(std::to_string(action.table->space) + "/" + action.key).second) {
      return invalid("Transaction request cannot include multiple operations on one item");
    }
  }
  return {};
}

Result<Request> parse(const store::Store& store, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto elements = read_transact_items(fields);
  const auto token = fields.string("ClientRequestToken");
  const auto capacity = fields.string("ReturnConsumedCapacity");
  const auto metrics = fields.string("ReturnItemCollectionMetrics");
  std::vector<ActionFields> actions;
  actions.reserve(elements.taken.size());
  for (const auto& element : elements.taken) {
    actions.push_back(read_action_fields(element, actions.size() + 1));
  }
  WAYBILL_TRY(reading.status());
  Constraints constraints;
  elements.check(constraints);
  constraints.length_min("clientRequestToken", token, 1);
  constraints.length_max("clientRequestToken", token, token_length_max);
  check_capacity_word(constraints, capacity);
  check_metrics_word(constraints, metrics);
  check_actions(constraints, actions);
  WAYBILL_TRY(constraints.status());
  WAYBILL_TRY(check_one_action_each(actions));
  Request request;
  request.capacity = capacity_detail(capacity);
  request.metrics = metrics == "SIZE";
  WAYBILL_TRY_ASSIGN(auto parsed, parse_actions(actions));
  for (std::size_t i = 0; i < actions.size(); ++i) {
    WAYBILL_TRY(add_action(store, *actions[i].table_name, std::move(parsed[i]), request));
  }
  WAYBILL_TRY(check_distinct(request));
  WAYBILL_TRY(check_transaction_bytes(request.bytes));
  if (token) {
    request.transaction.token = {std::string(*token), fingerprint_of(elements.taken)};
  }
  return request;
}

// What is left to know of the transaction once the store has it.
struct Reply {
  std::vector<table::TablePtr> tables;  // of each action
  std::vector<CollectionKey> collections;
  CapacityDetail capacity = CapacityDetail::none;
};

Reply reply_of(const Request& request) {
  Reply reply;
  reply.capacity = request.capacity;
  for (const auto& action : request.transaction.actions) {
    reply.tables.push_back(action.table);
    const bool writes = action.kind != store::ActionKind::check;
    if (request.metrics && writes && action.table->has_local_indexes()) {
      reply.collections.push_back({action.table, collection_key_of(*action.table, action.item.view())});
    }
  }
  return reply;
}

std::string render(const store::Store& store, const Reply& reply, const store::Outcome& outcome) {
  constexpr ReadUnits units{true};
  // A transaction that had been done before only reads.
  const bool repeated = outcome.kind == store::OutcomeKind::repeated;
  ConsumedByTable consumed;
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    auto& used = consumed.of(reply.tables[i]->name);
    if (repeated) {
      used.add_table(transaction_factor * units.of(outcome.results[i].before_bytes));
    } else {
      used.add_write(outcome.results[i], transaction_factor);
    }
  }
  std::string out;
  json::Writer writer(out);
  writer.begin_object();
  consumed.append_json(writer, reply.capacity,
                       repeated ? ConsumedUnits::Purpose::read : ConsumedUnits::Purpose::write);
  append_collections(writer, store, reply.collections);
  writer.end_object();
  return out;
}

void refuse(Call call, store::Outcome& outcome) {
  std::vector<CancellationReason> reasons;
  for (auto& result : outcome.results) {
    if (result.refusal && refuses_request(*result.refusal)) {
      call.fail(*result.refusal);
      return;
    }
    reasons.push_back({std::move(result.refusal), std::move(result.before)});
  }
  call.fail_with_body(400, cancellation_body(reasons));
}

void finish(Call call, const Reply& reply, store::Outcome& outcome) {
  if (outcome.kind == store::OutcomeKind::failed) {
    call.fail(*outcome.error);
  } else if (outcome.kind == store::OutcomeKind::refused) {
    refuse(std::move(call), outcome);
  } else {
    auto body = render(call.store(), reply, outcome);
    call.answer(std::move(body));
  }
}

void submit(Call call, Request request) {
  Reply reply = reply_of(request);
  store::Store& store = call.store();
  store.commit(std::move(request.transaction), [call = std::move(call),
                                                reply = std::move(reply)](store::Outcome outcome) mutable {
    Call::resume(std::move(call), [reply = std::move(reply), outcome = std::move(outcome)](
                                      Call back) mutable { finish(std::move(back), reply, outcome); });
  });
}

}  // namespace

void transact_write_items(Call call, const json::Value& body) {
  auto request = parse(call.store(), body);
  if (!request) {
    call.fail(request.error());
  } else if (request->cancelled) {
    call.fail_with_body(400, cancellation_body(request->reasons));
  } else {
    submit(std::move(call), *std::move(request));
  }
}

}  // namespace waybill::api::dynamodb
