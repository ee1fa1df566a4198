#include "store/restricted_store.h"

#include <algorithm>
#include <optional>

#include "store/read_in_reach.h"
#include "table/key.h"

namespace waybill::store {
namespace {

using access::ByKey;
using access::Reach;
using access::Verb;

Error table_denied(std::string_view table) {
  return access_denied("table/" + std::string(table));
}

Outcome denied_outcome(const Error& error) {
  Outcome outcome;
  outcome.kind = OutcomeKind::failed;
  outcome.error = error;
  return outcome;
}

// What a key says of the item under it. The bytes of a number are in another form than its text: there the
// item is asked.
ByKey by_key(const Reach& reach, const table::Table& table, std::string_view key) {
  const auto type = table.key.partition.type;
  if (type == item::Type::number && !reach.is_everything()) {
    return ByKey::open;
  }
  return reach.by_key(type, table::partition_bytes(key));
}

// What one read passes over at most that is out of reach, so that it keeps nobody else waiting for long. A
// page cannot end there: the key to go on from would tell of an item that is not shown. Small entries count
// for more than they are, since looking at them takes time as well.
constexpr uint64_t passed_bytes_max = 128ULL * 1024 * 1024;
constexpr uint64_t passed_entry_bytes_min = 256;
constexpr std::size_t passed_changes_max = 10'000;

Error passed_too_much() {
  return invalid(
      "This read passes over more than 128 MB of items that the access key may not read. Query a partition "
      "of your own, or narrow the condition on the sort key");
}

// Takes out of a range what is out of reach.
class ReachVisitor final : public Visitor {
 public:
  ReachVisitor(const Store& store, const Range& range, const Reach& reach, Visitor& visitor)
      : store_(store), range_(range), reach_(reach), visitor_(visitor), knows_enough_(knows_enough()) {}

  bool visit(std::string_view key, item::ItemView item, uint32_t size_bytes) override {
    return is_in_reach(key, item) ? visitor_.visit(key, item, size_bytes) : pass(size_bytes);
  }

  Status take_status() { return std::move(status_); }

 private:
  bool pass(uint32_t size_bytes) {
    passed_bytes_ += std::max<uint64_t>(size_bytes, passed_entry_bytes_min);
    if (status_ && passed_bytes_ > passed_bytes_max) {
      status_ = passed_too_much();
    }
    return status_.has_value();
  }

  // Whether entries have all the attributes that the reach asks about.
  bool knows_enough() const {
    const auto* index = range_.index;
    return index == nullptr || index->shows_whole_items() ||
           std::ranges::all_of(reach_.attributes(), [&](std::string_view name) {
             return table::keeps_attribute(*range_.table, *index, name);
           });
  }

  bool is_in_reach(std::string_view key, item::ItemView item) {
    if (knows_enough_ || reach_.by_key(range_.table->key, item) != ByKey::open) {
      return reach_.covers(*range_.table, item);
    }
    auto found = store_.get(*range_.table, table::primary_of_entry(*range_.index, key));
    if (!found) {
      status_ = std::move(found).error();
      return false;
    }
    return *found && reach_.covers(*range_.table, (*found)->item.view());
  }

  const Store& store_;
  const Range& range_;
  const Reach& reach_;
  Visitor& visitor_;
  const bool knows_enough_;
  uint64_t passed_bytes_ = 0;
  Status status_;
};

// Takes out of a stream what is out of reach.
class ReachChanges final : public ChangeVisitor {
 public:
  ReachChanges(const table::KeySchema& key, const Reach& reach, ChangeVisitor& visitor)
      : key_(key), reach_(reach), visitor_(visitor) {}

  bool visit(const Change& change) override {
    if (is_in_reach(change)) {
      return visitor_.visit(change);
    }
    if (++passed_ < passed_changes_max) {
      return true;
    }
    visitor_.stop_behind(change.place);
    return false;
  }

 private:
  // Where the log keeps no image, the keys have to do.
  bool is_in_reach(const Change& change) const {
    const bool has_image = change.before || change.after;
    return (has_image || reach_.covers(key_, change.keys)) &&
           (!change.before || reach_.covers(key_, *change.before)) &&
           (!change.after || reach_.covers(key_, *change.after));
  }

  const table::KeySchema& key_;
  const Reach& reach_;
  ChangeVisitor& visitor_;
  std::size_t passed_ = 0;
};

Verb verb_of(const Action& action) {
  const bool changes_nothing = action.kind == ActionKind::check || action.kind == ActionKind::hold;
  const bool only_hides = action.message != nullptr && action.kind == ActionKind::settle &&
                          action.message->settlement.visibility_ms.has_value();
  return changes_nothing || only_hides ? Verb::read : Verb::write;
}

}  // namespace

Status read_in_reach(const Store& store, const Range& range, const access::Reach& reach, Visitor& visitor) {
  if (reach.is_everything()) {
    return store.read(range, visitor);
  }
  ReachVisitor reached(store, range, reach, visitor);
  WAYBILL_TRY(store.read(range, reached));
  return reached.take_status();
}

RestrictedStore::RestrictedStore(Store& store, access::PolicyPtr policy, std::string owner)
    : store_(store), policy_(std::move(policy)), owner_(std::move(owner)) {
  if (auto* const queues = store_.queues()) {
    queues_ = std::make_unique<RestrictedQueues>(*queues, policy_);
  }
}

Status RestrictedStore::check_table(Verb verb, std::string_view table) const {
  const auto reach = policy_->of_table(verb, table);
  const bool allowed = verb == Verb::admin ? reach.is_everything() : !reach.is_nothing();
  return allowed ? Status() : Status(table_denied(table));
}

// ------------------------------------------------------------------------------------------------ items

Status RestrictedStore::restrict(Action& action) const {
  const Verb verb = verb_of(action);
  if (action.message) {
    const auto& queue = action.message->queue;
    return policy_->may_use_queue(verb, queue) ? Status() : Status(access_denied("queue/" + queue));
  }
  auto reach = policy_->of_table(verb, action.table->name);
  switch (reach.by_key(action.table->key, action.item.view())) {
    case ByKey::inside:
      return {};
    case ByKey::outside:
      return table_denied(action.table->name);
    case ByKey::open:
      break;
  }
  action.reach = std::make_shared<const Reach>(std::move(reach));
  return {};
}

// Tokens are one's own: that somebody else has used one is not told, nor what came of it.
Status RestrictedStore::restrict(Transaction& transaction) const {
  for (auto& action : transaction.actions) {
    WAYBILL_TRY(restrict(action));
  }
  if (transaction.token) {
    transaction.token->token = owner_ + "/" + transaction.token->token;
  }
  return {};
}

void RestrictedStore::commit(Transaction transaction, Done done) {
  if (const auto allowed = restrict(transaction); !allowed) {
    done(denied_outcome(allowed.error()));
    return;
  }
  store_.commit(std::move(transaction), std::move(done));
}

void RestrictedStore::commit_each(std::vector<Transaction> transactions, EachDone done) {
  std::vector<Outcome> outcomes(transactions.size());
  std::vector<std::size_t> places;  // of those that go to the store
  std::vector<Transaction> allowed;
  for (std::size_t i = 0; i < transactions.size(); ++i) {
    if (const auto status = restrict(transactions[i]); !status) {
      outcomes[i] = denied_outcome(status.error());
      continue;
    }
    places.push_back(i);
    allowed.push_back(std::move(transactions[i]));
  }
  if (allowed.empty()) {
    done(std::move(outcomes));
    return;
  }
  store_.commit_each(std::move(allowed), [outcomes = std::move(outcomes), places = std::move(places),
                                          done = std::move(done)](std::vector<Outcome> made) mutable {
    for (std::size_t i = 0; i < places.size(); ++i) {
      outcomes[places[i]] = std::move(made[i]);
    }
    done(std::move(outcomes));
  });
}

Result<Reach> RestrictedStore::reach_for(const table::Table& table, std::string_view key) const {
  auto reach = policy_->of_table(Verb::read, table.name);
  if (reach.is_nothing() || by_key(reach, table, key) == ByKey::outside) {
    return table_denied(table.name);
  }
  return reach;
}

Result<std::optional<Found>> RestrictedStore::get(const table::Table& table, std::string_view key) const {
  WAYBILL_TRY_ASSIGN(const auto reach, reach_for(table, key));
  WAYBILL_TRY_ASSIGN(auto found, store_.get(table, key));
  if (found && !reach.covers(table, found->item.view())) {
    found.reset();
  }
  return found;
}

Result<std::vector<std::optional<Found>>> RestrictedStore::get_together(
    const std::vector<GetRequest>& requests) const {
  std::vector<Reach> reaches;
  for (const auto& request : requests) {
    WAYBILL_TRY_ASSIGN(auto reach, reach_for(*request.table, request.key));
    reaches.push_back(std::move(reach));
  }
  WAYBILL_TRY_ASSIGN(auto all, store_.get_together(requests));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] && !reaches[i].covers(*requests[i].table, all[i]->item.view())) {
      all[i].reset();
    }
  }
  return all;
}

Status RestrictedStore::read(const Range& range, Visitor& visitor) const {
  const auto reach = policy_->of_table(Verb::read, range.table->name);
  if (reach.is_nothing()) {
    return table_denied(range.table->name);
  }
  return read_in_reach(store_, range, reach, visitor);
}

// ---------------------------------------------------------------------------------------------- streams

Status RestrictedStore::read_changes(const ChangeRange& range, ChangeVisitor& visitor) const {
  const auto all = store_.streams();
  const auto stream =
      std::ranges::find_if(all, [&](const table::StreamPtr& one) { return one->log == range.log; });
  if (stream == all.end()) {
    return access_denied("table/*");
  }
  const auto reach = policy_->of_table(Verb::read, (*stream)->table_name);
  if (reach.is_nothing()) {
    return table_denied((*stream)->table_name);
  }
  ReachChanges reached((*stream)->key, reach, visitor);
  return store_.read_changes(range, reached);
}

Result<table::ChangePlace> RestrictedStore::end_of_log(table::SpaceId log) const {
  return store_.end_of_log(log);
}

std::vector<table::StreamPtr> RestrictedStore::streams() const {
  auto streams = store_.streams();
  std::erase_if(streams, [this](const table::StreamPtr& stream) {
    return policy_->of_table(Verb::read, stream->table_name).is_nothing();
  });
  return streams;
}

table::StreamPtr RestrictedStore::find_stream(std::string_view table_name, std::string_view label) const {
  return policy_->of_table(Verb::read, table_name).is_nothing() ? nullptr
                                                                : store_.find_stream(table_name, label);
}

// ----------------------------------------------------------------------------------------------- tables

Status RestrictedStore::may_know(std::string_view table) const {
  return policy_->knows_table(table) ? Status() : Status(table_denied(table));
}

table::TablePtr RestrictedStore::find_table(std::string_view name) const {
  return policy_->knows_table(name) ? store_.find_table(name) : nullptr;
}

std::vector<std::string> RestrictedStore::list_tables(std::string_view after, std::size_t limit) const {
  constexpr std::size_t names_at_once = 100;
  std::vector<std::string> known;
  std::string last(after);
  for (auto names = store_.list_tables(last, names_at_once); !names.empty() && known.size() < limit;
       names = store_.list_tables(last, names_at_once)) {
    last = names.back();
    for (auto& name : names) {
      if (known.size() < limit && policy_->knows_table(name)) {
        known.push_back(std::move(name));
      }
    }
  }
  return known;
}

void RestrictedStore::create_table(table::Table table, TableDone done) {
  if (const auto allowed = check_table(Verb::admin, table.name); !allowed) {
    done(allowed.error());
    return;
  }
  store_.create_table(std::move(table), std::move(done));
}

void RestrictedStore::change_table(std::string name, TableChange change, TableDone done) {
  if (const auto allowed = check_table(Verb::admin, name); !allowed) {
    done(allowed.error());
    return;
  }
  store_.change_table(std::move(name), std::move(change), std::move(done));
}

void RestrictedStore::delete_table(std::string name, UniqueFunction<Status(const table::Table&)> check,
                                   TableDone done) {
  if (const auto allowed = check_table(Verb::admin, name); !allowed) {
    done(allowed.error());
    return;
  }
  store_.delete_table(std::move(name), std::move(check), std::move(done));
}

// ---------------------------------------------------------------------------------- backups and restores

// A new table is its maker's to read: what it is made of must be as well.
void RestrictedStore::restore_table(RestoreSource source, TableChange make, TableDone done) {
  const auto backup = source.backup_id.empty() ? nullptr : store_.find_backup(source.backup_id);
  const std::string& origin = backup ? backup->table.name : source.table;
  const bool reads_all = policy_->of_table(Verb::read, origin).is_everything();
  const auto allowed = reads_all ? check_table(Verb::admin, origin) : Status(table_denied(origin));
  if (!allowed) {
    done(allowed.error());
    return;
  }
  store_.restore_table(
      std::move(source),
      [policy = policy_,
       make = std::move(make)](const table::Table& current) mutable -> Result<table::Table> {
        WAYBILL_TRY_ASSIGN(auto made, make(current));
        if (!policy->of_table(Verb::admin, made.name).is_everything()) {
          return table_denied(made.name);
        }
        return made;
      },
      std::move(done));
}

void RestrictedStore::create_backup(std::string table, std::string backup_name, BackupDone done) {
  if (const auto allowed = check_table(Verb::admin, table); !allowed) {
    done(allowed.error());
    return;
  }
  store_.create_backup(std::move(table), std::move(backup_name), std::move(done));
}

void RestrictedStore::delete_backup(std::string id, BackupDone done) {
  if (find_backup(id) == nullptr) {
    done(access_denied("table/*"));
    return;
  }
  store_.delete_backup(std::move(id), std::move(done));
}

table::BackupPtr RestrictedStore::find_backup(std::string_view id) const {
  auto backup = store_.find_backup(id);
  return backup && check_table(Verb::admin, backup->table.name) ? backup : nullptr;
}

std::vector<table::BackupPtr> RestrictedStore::backups() const {
  auto backups = store_.backups();
  std::erase_if(backups, [this](const table::BackupPtr& backup) {
    return !check_table(Verb::admin, backup->table.name);
  });
  return backups;
}

// ----------------------------------------------------------------- what is for those without a policy alone

void RestrictedStore::put_note(table::Note /*note*/, NoteDone done) {
  done(access_denied("*"));
}

void RestrictedStore::forget_note(std::string /*name*/, NoteDone done) {
  done(access_denied("*"));
}

Result<std::vector<table::Note>> RestrictedStore::notes(std::string_view /*prefix*/) const {
  return access_denied("*");
}

void RestrictedStore::hold_table(WantedPast wanted, MakeNote /*make*/, NoteDone done) {
  done(table_denied(wanted.table));
}

Status RestrictedStore::read_held(const table::HeldTable& held, std::string_view /*after*/,
                                  Visitor& /*visitor*/) {
  return table_denied(held.name);
}

void RestrictedStore::begin_import(table::Table table, table::Note /*note*/, TableDone done) {
  done(table_denied(table.name));
}

void RestrictedStore::end_import(std::string table, ImportEnd /*end*/, table::Note /*note*/, NoteDone done) {
  done(table_denied(table));
}

Result<StoreBackup> RestrictedStore::back_up(const std::string& /*folder*/, uint32_t /*keep*/,
                                             const Progress& /*progress*/) {
  return access_denied("*");
}

Status RestrictedStore::read_usage(table::SpaceId /*space*/, MinuteRange /*range*/,
                                   UsageVisitor& /*visitor*/) {
  return access_denied("*");
}

void RestrictedStore::set_rules(std::string table, RulesPtr /*rules*/, RulesAre /*are*/,
                                UniqueFunction<void(Status)> done) {
  done(table_denied(table));
}

Result<int64_t> RestrictedStore::counter(std::string_view /*name*/) const {
  return access_denied("*");
}

// ----------------------------------------------------------------------------------------------- totals

bool RestrictedStore::tells_totals_of(table::SpaceId space) const {
  constexpr std::size_t names_at_once = 100;
  std::string last;
  for (auto names = list_tables(last, names_at_once); !names.empty();
       names = list_tables(last, names_at_once)) {
    last = names.back();
    for (const auto& name : names) {
      const auto table = store_.find_table(name);
      const bool is_it =
          table && (table->space == space ||
                    std::ranges::find(table->indexes, space, &table::Index::space) != table->indexes.end());
      if (is_it) {
        return policy_->of_table(Verb::read, name).is_everything() || check_table(Verb::admin, name);
      }
    }
  }
  return false;
}

Stats RestrictedStore::stats(table::SpaceId space) const {
  return tells_totals_of(space) ? store_.stats(space) : Stats{};
}

uint64_t RestrictedStore::approximate_bytes(table::SpaceId space, std::string_view begin,
                                            std::string_view end) const {
  return tells_totals_of(space) ? store_.approximate_bytes(space, begin, end) : 0;
}

}  // namespace waybill::store
