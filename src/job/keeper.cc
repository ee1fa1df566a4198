#include "job/keeper.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <iterator>
#include <utility>

#include "base/log.h"
#include "base/thread_name.h"
#include "job/actions.h"
#include "job/change.h"
#include "job/dead_letters.h"
#include "job/decide_failure.h"
#include "job/envelope.h"
#include "job/fields.h"
#include "job/give_up.h"
#include "job/machine.h"

namespace waybill::job {

namespace {

using store::Outcome;
using store::OutcomeKind;
using store::Peeked;

constexpr std::size_t page_max = 100;
constexpr int tries_max = 16;

template <typename Value, typename Call>
Value wait_for(Call call) {
  auto promise = std::make_shared<std::promise<Value>>();
  auto answer = promise->get_future();
  call([promise](Value value) { promise->set_value(std::move(value)); });
  return answer.get();
}

bool has_dead_letters(const Subject& subject) {
  const auto& record = subject.record();
  return record.status && record.work && record.work->claim && record.work->fail &&
         !subject.kind->queue.empty() && !subject.kind->dead_letters.empty();
}

// Whether the record still waits for its message, or for the worker that had it.
bool is_waiting(const contract::Record& record, const std::string& status) {
  const bool may_be_claimed =
      begins_at(*record.work->claim, status) && record.status->may_move(status, record.work->claim->to.text);
  return is_working(record, status) || may_be_claimed;
}

void note_lost_worker(const contract::Record& record, Draft& draft) {
  set_trouble(record, draft, {"LEASE_LOST", "Its workers did not come back: the queue gave it up", ""});
  if (const auto failed = attempts_of(record, draft)) {
    draft.set_integer(path_of_text(record.work->attempts->text), *failed + 1);
  }
}

// One dead letter that the queue itself has made.
class Case {
 public:
  Case(const Services& services, const Subject& subject, const queue::Queue& letters, const Peeked& letter)
      : services_(services), subject_(subject), letters_(letters), letter_(letter) {}

  // The store would not have it now, or somebody holds the letter: it is worth another look.
  bool is_open() const { return is_open_; }

  // Whether its record was given up.
  bool settle() {
    const auto key = key_of_message(subject_, letter_.message.body);
    for (int i = 0; key && i < tries_max; ++i) {
      switch (step(*key)) {
        case Step::done:
          return true;
        case Step::nothing:
          return false;
        case Step::again:
          break;
      }
    }
    return false;
  }

 private:
  enum class Step : unsigned char { done, nothing, again };

  Step step(const item::Item& key) {
    const auto table = services_.store.find_table(subject_.contract->table);
    auto found = find_record(services_, subject_, key.view());
    if (table == nullptr || !found || !*found) {
      return Step::nothing;
    }
    Draft draft(**std::move(found));
    const std::string status = status_of(subject_.record(), draft);
    if (!is_waiting(subject_.record(), status)) {
      return Step::nothing;
    }
    const bool was_lost = is_working(subject_.record(), status);
    auto move = towards_giving_up(subject_, std::move(draft));
    if (!move) {
      return Step::nothing;
    }
    if (was_lost && move->is_last) {
      note_lost_worker(subject_.record(), move->draft);
    }
    return commit(table, key, *std::move(move));
  }

  // The letter is written again, marked: what becomes of the record from here on is not its business any
  // more.
  Step commit(const table::TablePtr& table, const item::Item& key, GiveUpMove move) {
    store::Transaction transaction;
    transaction.author = author_of({"waybill", "", "its message was received too often"}, "give_up");
    transaction.actions.push_back(change_of(table, key, move.draft));
    if (move.is_last) {
      transaction.actions.push_back(job::settle(letters_.name, receipt_of(letters_, letter_)));
      transaction.actions.push_back(send(letters_.name, dead_letter_of(subject_, letter_.message, 0)));
      std::ranges::move(with_last_move(services_, subject_, move.draft),
                        std::back_inserter(transaction.actions));
    }
    const auto kinds = kinds_of(transaction);
    const auto outcome = wait_for<Outcome>(
        [&](auto done) { services_.store.commit(std::move(transaction), std::move(done)); });
    if (outcome.kind == OutcomeKind::committed) {
      return move.is_last ? Step::done : Step::again;
    }
    const auto refusal = outcome.kind == OutcomeKind::refused ? refusal_of(kinds, outcome) : outcome.error;
    if (!refusal) {
      return Step::again;
    }
    is_open_ = outcome.kind == OutcomeKind::failed || refusal->kind == ErrorKind::lease_lost;
    log_warning("keeper: " + letters_.name + ": message " + letter_.message.id + ": " + refusal->message);
    return Step::nothing;
  }

  const Services& services_;
  const Subject& subject_;
  const queue::Queue& letters_;
  const Peeked& letter_;
  bool is_open_ = false;
};

}  // namespace

Keeper::Keeper(Services services, Contracts contracts, int64_t interval_ms)
    : services_(services),
      contracts_(std::move(contracts)),
      interval_ms_(interval_ms),
      thread_([this] { run(); }) {}

Keeper::~Keeper() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

void Keeper::run() {
  name_this_thread("keeper");
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    lock.unlock();
    look();
    lock.lock();
    changed_.wait_for(lock, std::chrono::milliseconds(interval_ms_), [this] { return stopping_; });
  }
}

std::size_t Keeper::look() {
  const std::lock_guard lock(looking_);
  std::size_t given_up = 0;
  if (services_.store.queues() == nullptr) {
    return given_up;
  }
  for (const auto& contract : contracts_()) {
    for (const auto& kind : contract->kinds) {
      const Subject subject{contract, &kind};
      if (has_dead_letters(subject) && has_news(kind.queue)) {
        given_up += look_at(subject);
      }
    }
  }
  return given_up;
}

// Whether the queue has given up messages since the last look.
bool Keeper::has_news(const std::string& queue) {
  const auto stats = wait_for<std::vector<store::QueueStats>>(
      [&](auto done) { services_.store.queues()->stats(queue, std::move(done)); });
  if (stats.empty()) {
    return false;
  }
  const auto [known, is_new] = dead_lettered_.emplace(queue, 0);
  const uint64_t before = std::exchange(known->second, stats.front().dead_lettered);
  return is_new ? known->second > 0 : known->second != before;
}

std::size_t Keeper::look_at(const Subject& subject) {
  const auto letters = services_.store.queues()->find(subject.kind->dead_letters);
  std::size_t given_up = 0;
  bool is_complete = true;
  store::PeekRequest request{subject.kind->dead_letters, "", "", page_max};
  while (letters != nullptr) {
    const auto page = services_.store.queues()->peek(request);
    if (!page) {
      is_complete = false;
      break;
    }
    for (const auto& letter : *page) {
      const bool is_its = letter.message.dead_letter_source == subject.kind->queue;
      if (is_its && !is_seen_to(letter.message)) {
        Case one(services_, subject, *letters, letter);
        given_up += one.settle() ? 1 : 0;
        is_complete = is_complete && !one.is_open();
      }
    }
    if (page->size() < page_max) {
      break;
    }
    request.after = page->back().place;
  }
  if (!is_complete) {
    dead_lettered_.erase(subject.kind->queue);
  }
  return given_up;
}

}  // namespace waybill::job
