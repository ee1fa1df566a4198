#include "engine/ruled.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <string>
#include <utility>

#include "engine/layout.h"
#include "engine/queues/book.h"
#include "table/key.h"

namespace waybill::engine {

namespace {

using store::Effect;

const store::Author& the_system() {
  static const store::Author author{"waybill", {}, {}};
  return author;
}

// In place of whatever is there, or of nothing.
Status replace(const Effect& effect, const table::Table& table, const std::optional<layout::Record>& after,
               Batch& batch) {
  rocksdb::PinnableSlice stored;
  WAYBILL_TRY_ASSIGN(const bool found, batch.read(table.space, effect.key, stored));
  if (!found && !after) {
    return {};
  }
  const auto before = found ? std::optional(view(stored)) : std::nullopt;
  const bool expired =
      found && table::is_expired(table.ttl, layout::read_record(*before).item, batch.now_seconds());
  batch.replace(table, effect.key, before, expired ? Batch::Was::expired : Batch::Was::alive, after, nullptr);
  return {};
}

void note_for_followers(const Effect& effect, WriterState& state) {
  if (state.followed.empty()) {
    return;
  }
  if (const auto found = state.followed.find(effect.table->space); found != state.followed.end()) {
    found->second.items.push_back(effect.item);
  }
}

// An item whose sort key is a number gets the next one, where it has none yet.
void give_number(Effect& effect, Batch& batch) {
  const auto& sort = effect.table->key.sort;
  if (sort && !effect.item.view().find(sort->name)) {
    item::append_name(effect.item.encoded, sort->name);
    item::append_scalar(effect.item.encoded, item::Type::number, std::to_string(batch.next_number()));
  }
  effect.key = table::primary_key(effect.table->key, effect.item.view());
}

Status apply(Effect& effect, Batch& batch) {
  switch (effect.kind) {
    case Effect::Kind::put: {
      const auto size = item::size_bytes(effect.item.view());
      note_for_followers(effect, batch.state());
      return replace(effect, *effect.table, layout::Record{size, effect.item.view()}, batch);
    }
    case Effect::Kind::add: {
      give_number(effect, batch);
      note_for_followers(effect, batch.state());
      batch.add(*effect.table, effect.key,
                layout::Record{item::size_bytes(effect.item.view()), effect.item.view()});
      return {};
    }
    case Effect::Kind::remove:
      return replace(effect, *effect.table, std::nullopt, batch);
    case Effect::Kind::send: {
      queues::LiveQueue* const queue = batch.state().book->find(effect.queue);
      if (queue == nullptr) {
        return {};
      }
      WAYBILL_TRY(queue->send(batch, *effect.message));
      return {};
    }
    case Effect::Kind::count:
      return batch.add_to_counter(effect.counter, effect.delta);
    case Effect::Kind::forget:
      batch.forget_counters(effect.counter);
      return {};
  }
  return {};
}

Status count_items(const table::Table& table, const store::Rules& rules, Batch& batch) {
  store::Effects effects;
  rules.begin_counting(effects);
  WAYBILL_TRY(apply_effects(effects, batch));
  const std::string end = layout::full_key(table.space + 1, {});
  const rocksdb::Slice upper = slice(end);
  rocksdb::ReadOptions options;
  options.iterate_upper_bound = &upper;
  options.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> at(
      batch.database().db().NewIterator(options, batch.database().items()));
  for (at->Seek(slice(layout::full_key(table.space, {}))); at->Valid(); at->Next()) {
    effects.clear();
    rules.add_to_counts(table, layout::read_record(view(at->value())).item, effects);
    WAYBILL_TRY(apply_effects(effects, batch));
  }
  if (!at->status().ok()) {
    return Error{ErrorKind::unavailable, "the records of table " + table.name + " could not be counted",
                 at->status().ToString()};
  }
  return {};
}

}  // namespace

void BatchGround::intend(table::SpaceId space, std::string_view key, item::ItemView item) {
  const auto known = std::ranges::find_if(
      intended_, [&](const Intended& one) { return one.space == space && one.key == key; });
  if (known != intended_.end()) {
    known->item = item;
  }
}

table::TablePtr BatchGround::find_table(std::string_view name) const {
  const auto& tables = batch_.state().tables;
  const auto found = tables.find(name);
  return found == tables.end() ? nullptr : found->second;
}

Result<std::optional<item::Item>> BatchGround::get(const table::Table& table, std::string_view key) const {
  for (const auto& one : intended_) {
    if (one.space == table.space && one.key == key) {
      return one.item ? std::optional(item::Item{std::string(one.item->encoded())}) : std::nullopt;
    }
  }
  for (const auto& effect : foreseen_ | std::views::reverse) {
    if (effect.table && effect.table->space == table.space && effect.key == key) {
      return effect.kind == Effect::Kind::put ? std::optional(effect.item) : std::nullopt;
    }
  }
  rocksdb::PinnableSlice stored;
  WAYBILL_TRY_ASSIGN(const bool found, batch_.read(table.space, key, stored));
  if (!found) {
    return std::optional<item::Item>();
  }
  const auto record = layout::read_record(view(stored));
  if (table::is_expired(table.ttl, record.item, batch_.now_seconds())) {
    return std::optional<item::Item>();
  }
  return std::optional(item::Item{std::string(record.item.encoded())});
}

Result<int64_t> BatchGround::counter(const std::string& name) const {
  WAYBILL_TRY_ASSIGN(int64_t value, batch_.counter(name));
  for (const auto& effect : foreseen_) {
    value += effect.kind == Effect::Kind::count && effect.counter == name ? effect.delta : 0;
  }
  return value;
}

void BatchGround::foresee(store::Effects effects) {
  std::ranges::move(effects, std::back_inserter(foreseen_));
}

Status apply_effects(store::Effects& effects, Batch& batch) {
  for (auto& effect : effects) {
    WAYBILL_TRY(apply(effect, batch));
  }
  return {};
}

Result<const store::Rules*> rules_of(const table::Table& table, const Batch& batch) {
  if (!table.has_rules) {
    return nullptr;
  }
  const auto& rules = batch.state().rules;
  const auto found = rules.find(table.space);
  if (found == rules.end()) {
    return Error{ErrorKind::unavailable,
                 "The contract of table " + table.name + " is not in force yet. Please try again.",
                 {}};
  }
  return found->second.get();
}

Status apply_expiry(const table::Table& table, std::string_view key, item::ItemView item, Batch& batch) {
  WAYBILL_TRY_ASSIGN(const store::Rules* const rules, rules_of(table, batch));
  if (rules == nullptr) {
    return {};
  }
  BatchGround ground(batch);
  store::Effects effects;
  WAYBILL_TRY(rules->add_effects({table, key, item, std::nullopt, the_system(), true}, ground, effects));
  return apply_effects(effects, batch);
}

void SetRulesJob::decide(Batch& batch) {
  auto& state = batch.state();
  const auto found = state.tables.find(table_);
  if (found == state.tables.end()) {
    status_ =
        Error{ErrorKind::not_found, "Requested resource not found: Table: " + table_ + " not found", {}};
    return;
  }
  const bool has_rules = rules_ != nullptr;
  if (has_rules && are_ == store::RulesAre::fresh) {
    if (status_ = count_items(*found->second, *rules_, batch); !status_) {
      return;
    }
  }
  if (has_rules) {
    state.rules[found->second->space] = std::move(rules_);
  } else {
    state.rules.erase(found->second->space);
  }
  if (found->second->has_rules != has_rules) {
    auto next = std::make_shared<table::Table>(*found->second);
    next->has_rules = has_rules;
    batch.put_table(std::move(next));
  }
}

void FollowJob::decide(Batch& batch) {
  auto& state = batch.state();
  const auto found = state.tables.find(table_);
  if (found == state.tables.end()) {
    return;
  }
  if (follower_) {
    state.followed[found->second->space].follower = std::move(follower_);
  } else {
    state.followed.erase(found->second->space);
  }
}

void FollowJob::finish() {
  if (done_) {
    done_();
  }
}

void tell_followers(WriterState& state) {
  for (auto& [space, followed] : state.followed) {
    if (!followed.items.empty()) {
      followed.follower(std::exchange(followed.items, {}));
    }
  }
}

}  // namespace waybill::engine
