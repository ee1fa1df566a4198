#include "job/actions.h"

#include <utility>

#include "table/key.h"

namespace waybill::job {

namespace {

using store::Action;
using store::ActionKind;

Action about(const std::string& queue, ActionKind kind, const queue::Receipt& receipt,
             std::optional<int64_t> visibility_ms) {
  auto message = std::make_shared<store::MessageAction>();
  message->queue = queue;
  message->settlement = {receipt, visibility_ms};
  Action action;
  action.kind = kind;
  action.message = std::move(message);
  return action;
}

// An action on the record under a key, as long as what the draft looked at is so.
Action bound(const table::TablePtr& table, const item::Item& key, const Draft& draft) {
  Action action;
  action.table = table;
  action.key = table::primary_key(table->key, key.view());
  table::append_key_attributes(action.item.encoded, table->key, key.view());
  action.condition = draft.condition(table->key.partition.name);
  return action;
}

}  // namespace

Action change_of(const table::TablePtr& table, const item::Item& key, const Draft& draft) {
  Action action = bound(table, key, draft);
  action.kind = draft.changes_anything() ? ActionKind::update : ActionKind::check;
  if (draft.changes_anything()) {
    action.update = draft.update();
    action.wants_after = true;
  }
  return action;
}

Action removal_of(const table::TablePtr& table, const item::Item& key, const Draft& draft) {
  Action action = bound(table, key, draft);
  action.kind = ActionKind::remove;
  action.wants_before = true;
  return action;
}

Action creation_of(const table::TablePtr& table, item::Item record) {
  Action action;
  action.kind = ActionKind::put;
  action.table = table;
  action.key = table::primary_key(table->key, record.view());
  action.item = std::move(record);
  action.condition = absence_of(table->key.partition.name);
  action.wants_after = true;
  return action;
}

Action hold(const std::string& queue, const queue::Receipt& receipt) {
  return about(queue, ActionKind::hold, receipt, {});
}

Action settle(const std::string& queue, const queue::Receipt& receipt, std::optional<int64_t> visibility_ms) {
  return about(queue, ActionKind::settle, receipt, visibility_ms);
}

Action give_back(const std::string& queue, const queue::Receipt& receipt, int64_t visibility_ms,
                 bool counts) {
  Action action = about(queue, ActionKind::settle, receipt, visibility_ms);
  auto message = std::make_shared<store::MessageAction>(*action.message);
  message->settlement.counts = counts;
  action.message = std::move(message);
  return action;
}

Action send(const std::string& queue, const queue::Message& message) {
  auto made = std::make_shared<store::MessageAction>();
  made->queue = queue;
  made->message = {queue::encode(message), message.id, message.group, message.deduplication_id, {}};
  Action action;
  action.kind = ActionKind::send;
  action.message = std::move(made);
  return action;
}

std::shared_ptr<const store::Author> author_of(store::Author author, std::string_view operation) {
  author.operation = operation;
  return std::make_shared<const store::Author>(std::move(author));
}

}  // namespace waybill::job
