#include "event/ledger.h"

#include <future>
#include <memory>
#include <utility>

#include "base/check.h"
#include "base/json.h"
#include "base/log.h"
#include "event/outbox.h"
#include "expression/condition.h"
#include "rules/system_tables.h"
#include "table/key.h"

namespace waybill::event {
namespace {

constexpr std::size_t counted_max = 10'000;

item::Item key_item(const RowKey& key) {
  item::Item made;
  item::append_name(made.encoded, "record");
  item::append_scalar(made.encoded, item::Type::string, key.record);
  item::append_name(made.encoded, "seq");
  item::append_scalar(made.encoded, item::Type::number, key.seq);
  return made;
}

// All entries of an index of the journal for one contract.
store::Range range_of(const table::TablePtr& journal, std::string_view index, const std::string& contract) {
  store::Range range;
  range.table = journal;
  range.index = journal->find_index(index);
  WAYBILL_CHECK(range.index != nullptr);
  std::string value;
  item::append_scalar(value, item::Type::string, contract);
  table::append_partition(range.begin, item::ValueView(value.data()));
  range.end = table::after_prefix(range.begin);
  return range;
}

// Takes the first entries of a range.
template <typename Take>
class FirstEntries final : public store::Visitor {
 public:
  FirstEntries(std::size_t count_max, Take take) : left_(count_max), take_(std::move(take)) {}

  bool visit(std::string_view key, item::ItemView row, uint32_t /*size_bytes*/) override {
    take_(key, row);
    return --left_ > 0;
  }

 private:
  std::size_t left_;
  Take take_;
};

template <typename Take>
Status read_first(const store::Store& store, store::Range range, std::size_t count_max, Take take) {
  range.count_wanted = count_max;
  FirstEntries<Take> visitor(count_max, std::move(take));
  return store.read(range, visitor);
}

std::vector<store::Outcome> commit_all(store::Store& store, std::vector<store::Transaction> transactions) {
  auto promise = std::make_shared<std::promise<std::vector<store::Outcome>>>();
  auto done = promise->get_future();
  store.commit_each(std::move(transactions), [promise](std::vector<store::Outcome> outcomes) {
    promise->set_value(std::move(outcomes));
  });
  return done.get();
}

// The row must still be there: its time to live may have passed.
expression::Condition still_there() {
  expression::Placeholders none;
  auto made =
      expression::Condition::parse("attribute_exists(seq)", expression::ExpressionKind::condition, none);
  WAYBILL_CHECK(made.has_value());
  return *std::move(made);
}

store::Action put_row(const table::TablePtr& journal, item::Item row) {
  store::Action action;
  action.kind = store::ActionKind::put;
  action.table = journal;
  action.key = table::primary_key(journal->key, row.view());
  action.item = std::move(row);
  action.condition = still_there();
  return action;
}

std::shared_ptr<const store::Author> publisher_as_author() {
  static const auto author = std::make_shared<const store::Author>(store::Author{"waybill", "publish", {}});
  return author;
}

Error no_journal() {
  return Error{ErrorKind::unavailable, "the store has no journal", {}};
}

std::string reasons_of(item::ItemView row) {
  std::string text;
  for (const auto& [target, note] : read_notes(row)) {
    if (note.state == Note::State::refused) {
      text += text.empty() ? "" : "; ";
      text += target + ": " + note.why;
    }
  }
  return text;
}

// What stood against the outbox's item, where that is what refused the transaction.
std::optional<Error> refusal_of_outbox(const store::Outcome& outcome) {
  const bool is_refused = outcome.kind == store::OutcomeKind::refused && outcome.results.size() == 2;
  return is_refused && !outcome.results[0].refusal ? outcome.results[1].refusal : std::nullopt;
}

}  // namespace

Result<Ledger::Stretch> Ledger::pending(const std::string& begin, std::size_t count_max) const {
  const auto journal = store_.find_table(rules::journal_table);
  if (!journal) {
    return no_journal();
  }
  auto range = range_of(journal, rules::pending_index, audience_.contract);
  if (!begin.empty()) {
    range.begin = begin;
  }
  Stretch stretch{{}, range.begin};
  WAYBILL_TRY(read_first(store_, range, count_max, [&](std::string_view entry, item::ItemView row) {
    stretch.keys.push_back(key_of(row));
    stretch.end = std::string(entry) + '\0';
  }));
  return stretch;
}

Result<std::vector<std::optional<item::Item>>> Ledger::read(const std::vector<RowKey>& keys) const {
  const auto journal = store_.find_table(rules::journal_table);
  if (!journal) {
    return no_journal();
  }
  std::vector<store::GetRequest> requests;
  requests.reserve(keys.size());
  for (const auto& key : keys) {
    requests.push_back({journal, table::primary_key(journal->key, key_item(key).view())});
  }
  WAYBILL_TRY_ASSIGN(auto found, store_.get_together(requests));
  std::vector<std::optional<item::Item>> rows;
  rows.reserve(found.size());
  for (auto& each : found) {
    rows.push_back(each ? std::optional(std::move(each->item)) : std::nullopt);
  }
  return rows;
}

Result<std::vector<bool>> Ledger::note(const std::string& target, const std::vector<Outcome>& outcomes) {
  const std::lock_guard lock(mutex_);
  std::vector<RowKey> keys;
  for (const auto& outcome : outcomes) {
    keys.push_back(outcome.key);
    failures_ += outcome.delivery.told == Told::failed ? 1 : 0;
  }
  WAYBILL_TRY_ASSIGN(auto rows, read(keys));
  std::vector<bool> over;
  std::vector<Step> steps;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (!rows[i] || !rows[i]->view().find("pending")) {
      over.push_back(true);
      continue;
    }
    auto next = after_delivery(rows[i]->view(), audience_, target, outcomes[i].delivery, clock_.wall_ms());
    over.push_back(next.is_over);
    if (next.changed) {
      steps.push_back({*std::move(rows[i]), std::move(next)});
    }
  }
  WAYBILL_TRY(apply(steps));
  return over;
}

Status Ledger::note_audience(const std::vector<RowKey>& keys) {
  const std::lock_guard lock(mutex_);
  WAYBILL_TRY_ASSIGN(auto rows, read(keys));
  std::vector<Step> steps;
  for (auto& row : rows) {
    if (!row || !row->view().find("pending")) {
      continue;
    }
    auto next = after_change_of_audience(row->view(), audience_, clock_.wall_ms());
    if (next.changed) {
      steps.push_back({*std::move(row), std::move(next)});
    }
  }
  return apply(steps);
}

Status Ledger::apply(const std::vector<Step>& steps) {
  if (steps.empty()) {
    return {};
  }
  std::vector<store::Transaction> transactions;
  transactions.reserve(steps.size());
  for (const auto& step : steps) {
    transactions.push_back(transaction_of(step, true));
  }
  const auto outcomes = commit_all(store_, std::move(transactions));
  WAYBILL_CHECK(outcomes.size() == steps.size());
  Status status;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (outcomes[i].kind == store::OutcomeKind::failed) {
      status = *outcomes[i].error;
    } else if (outcomes[i].kind == store::OutcomeKind::committed) {
      count(steps[i]);
    } else if (const auto refusal = refusal_of_outbox(outcomes[i])) {
      if (auto second = apply_without_outbox(steps[i], *refusal); !second) {
        status = std::move(second);
      }
    }
  }
  return status;
}

store::Transaction Ledger::transaction_of(const Step& step, bool with_outbox) const {
  store::Transaction transaction;
  transaction.author = publisher_as_author();
  transaction.actions.push_back(put_row(store_.find_table(rules::journal_table), step.next.row));
  if (step.next.published && with_outbox) {
    if (auto action = mark_of_outbox(store_, step.before.view())) {
      transaction.actions.push_back(*std::move(action));
    }
  }
  return transaction;
}

// The event is published whether or not its item of the outbox is there to say so.
Status Ledger::apply_without_outbox(const Step& step, const Error& refusal) {
  const RowKey key = key_of(step.before.view());
  if (refusal.kind != ErrorKind::condition_failed) {
    log_warning("event " + key.seq + " of " + key.record +
                ": its outbox item can't be marked: " + refusal.message);
  }
  std::vector<store::Transaction> transactions;
  transactions.push_back(transaction_of(step, false));
  const auto outcome = commit_all(store_, std::move(transactions)).front();
  if (outcome.kind == store::OutcomeKind::failed) {
    return *outcome.error;
  }
  if (outcome.kind == store::OutcomeKind::committed) {
    count(step);
  }
  return {};
}

void Ledger::count(const Step& step) {
  published_ += step.next.published ? 1 : 0;
  if (step.next.parked) {
    ++given_up_;
    const RowKey key = key_of(step.before.view());
    log_error("event " + key.seq + " of " + key.record + " is parked: " + reasons_of(step.next.row.view()));
  }
}

Result<std::vector<ParkedEvent>> Ledger::parked(std::size_t count_max) const {
  const auto journal = store_.find_table(rules::journal_table);
  if (!journal) {
    return no_journal();
  }
  std::vector<ParkedEvent> events;
  WAYBILL_TRY(read_first(store_, range_of(journal, rules::parked_index, audience_.contract), count_max,
                         [&](std::string_view /*entry*/, item::ItemView row) {
                           events.push_back(
                               {key_of(row), text_of(row, "event"), integer_of(row, "at"), reasons_of(row)});
                         }));
  return events;
}

Status Ledger::unpark(const RowKey& key) {
  const std::lock_guard lock(mutex_);
  WAYBILL_TRY_ASSIGN(const auto rows, read({key}));
  if (!rows.front() || !rows.front()->view().find("parked")) {
    return Error{ErrorKind::not_found, "event " + key.seq + " of " + key.record + " is not parked", {}};
  }
  Step step{*rows.front(), {}};
  step.next.row = unparked(rows.front()->view());
  return apply({step});
}

Result<std::size_t> Ledger::unpark_all(std::size_t count_max) {
  const std::lock_guard lock(mutex_);
  WAYBILL_TRY_ASSIGN(const auto events, parked(count_max));
  std::vector<RowKey> keys;
  keys.reserve(events.size());
  for (const auto& event : events) {
    keys.push_back(event.key);
  }
  WAYBILL_TRY_ASSIGN(auto rows, read(keys));
  std::vector<Step> steps;
  for (auto& row : rows) {
    if (row && row->view().find("parked")) {
      Step step{*std::move(row), {}};
      step.next.row = unparked(step.before.view());
      steps.push_back(std::move(step));
    }
  }
  WAYBILL_TRY(apply(steps));
  return steps.size();
}

Result<Counts> Ledger::counts() const {
  const auto journal = store_.find_table(rules::journal_table);
  if (!journal) {
    return no_journal();
  }
  Counts counts;
  counts.contract = audience_.contract;
  counts.published = published_;
  counts.given_up = given_up_;
  counts.failures = failures_;
  WAYBILL_TRY(read_first(store_, range_of(journal, rules::pending_index, audience_.contract), counted_max,
                         [&](std::string_view /*entry*/, item::ItemView row) {
                           if (counts.pending++ == 0) {
                             counts.oldest_pending_ms = integer_of(row, "at");
                           }
                         }));
  WAYBILL_TRY(read_first(store_, range_of(journal, rules::parked_index, audience_.contract), counted_max,
                         [&](std::string_view /*entry*/, item::ItemView /*row*/) { ++counts.parked; }));
  return counts;
}

}  // namespace waybill::event
