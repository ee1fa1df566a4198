#include "api/dynamodb/write_transaction.h"

#include <string>
#include <unordered_set>
#include <utility>

#include "api/dynamodb/transaction_fields.h"

namespace waybill::api::dynamodb {
namespace {

// What is left to know of the transaction once the store has it.
struct Reply {
  std::vector<table::TablePtr> tables;  // of each action; null for messages
  std::vector<CollectionKey> collections;
  CapacityDetail capacity = CapacityDetail::none;
  std::vector<bool> inserts;
  WriteForm form = WriteForm::item;
};

Reply reply_of(const WriteTransaction& request) {
  Reply reply;
  reply.capacity = request.capacity;
  reply.inserts = request.inserts;
  reply.form = request.form;
  for (const auto& action : request.transaction.actions) {
    reply.tables.push_back(action.table);
    const bool writes = action.table && action.kind != store::ActionKind::check;
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
    if (!reply.tables[i]) {
      continue;
    }
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
  if (reply.form == WriteForm::statement) {
    writer.key("Responses").begin_array().end_array();  // one per statement only where they read
  }
  consumed.append_json(writer, reply.capacity,
                       repeated ? ConsumedUnits::Purpose::read : ConsumedUnits::Purpose::write);
  append_collections(writer, store, reply.collections);
  writer.end_object();
  return out;
}

void refuse(Call call, const Reply& reply, store::Outcome& outcome) {
  std::vector<CancellationReason> reasons;
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    auto& result = outcome.results[i];
    if (result.refusal && refuses_request(*result.refusal)) {
      call.fail(*result.refusal);
      return;
    }
    if (result.refusal) {
      result.refusal = refusal_of(*std::move(result.refusal), reply.inserts[i]);
    }
    reasons.push_back({std::move(result.refusal), std::move(result.before)});
  }
  call.fail_with_body(400, cancellation_body(reasons));
}

void finish(Call call, const Reply& reply, store::Outcome& outcome) {
  if (outcome.kind == store::OutcomeKind::failed) {
    call.fail(*outcome.error);
  } else if (outcome.kind == store::OutcomeKind::refused) {
    refuse(std::move(call), reply, outcome);
  } else {
    auto body = render(call.store(), reply, outcome);
    call.answer(std::move(body));
  }
}

}  // namespace

Status WriteTransaction::add(store::Action action, bool is_insert) {
  CancellationReason reason;
  if (auto checked = check_against_table(action); !checked) {
    if (refuses_request(checked.error())) {
      return checked;
    }
    reason.error = std::move(checked).error();
    cancelled = true;
  }
  action.wants_index_units = capacity != CapacityDetail::none;
  bytes += item::size_bytes(action.item.view());
  reasons.push_back(std::move(reason));
  inserts.push_back(is_insert);
  transaction.actions.push_back(std::move(action));
  return {};
}

void WriteTransaction::add_message(store::Action action) {
  bytes += action.item.view().encoded().size();
  reasons.emplace_back();
  inserts.push_back(false);
  transaction.actions.push_back(std::move(action));
}

Status WriteTransaction::check_whole() const {
  std::unordered_set<std::string> seen;
  for (const auto& action : transaction.actions) {
    if (action.kind == store::ActionKind::send) {
      continue;
    }
    const auto space = action.table ? std::to_string(action.table->space) : "queue";
    if (!action.key.empty() && !seen.insert(space + "/" + action.key).second) {
      return invalid("Transaction request cannot include multiple operations on one item");
    }
  }
  return check_transaction_bytes(bytes);
}

void submit(Call call, WriteTransaction&& request) {
  if (request.cancelled) {
    call.fail_with_body(400, cancellation_body(request.reasons));
    return;
  }
  Reply reply = reply_of(request);
  store::Store& store = call.store();
  request.transaction.costs_double = true;
  name_author(call, request.transaction);
  store.commit(std::move(request.transaction), [call = std::move(call),
                                                reply = std::move(reply)](store::Outcome outcome) mutable {
    Call::resume(std::move(call), [reply = std::move(reply), outcome = std::move(outcome)](
                                      Call back) mutable { finish(std::move(back), reply, outcome); });
  });
}

}  // namespace waybill::api::dynamodb
