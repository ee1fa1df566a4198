#include "job/claim.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>
#include <utility>

#include "base/log.h"
#include "job/actions.h"
#include "job/change.h"
#include "job/decide_claim.h"
#include "job/envelope.h"
#include "job/give_up.h"

namespace waybill::job {

namespace {

using store::Delivery;
using store::Outcome;
using store::OutcomeKind;
using store::Transaction;

// How often what was received may change under our hands before it is left for the next receive.
constexpr int tries_max = 8;

// A message that was received, on its way to the worker.
struct Parcel {
  Delivery delivery;
  queue::Message message;
  item::Item key;  // of its record
  int tries = 0;
  // What its last transaction meant.
  ClaimKind kind = ClaimKind::drop;
  bool goes_on = false;
  int64_t attempt = 1;
  int64_t until_ms = 0;
  std::vector<store::ActionKind> actions;
};

// One claim on its way: receives, decides on each message, commits them together, and receives again where
// nothing came of it. One step runs after the other, on the store's thread or elsewhere.
class Run final : public store::Wait, public std::enable_shared_from_this<Run> {
 public:
  Run(const Services& services, ClaimRequest request, int64_t lease_ms, Answer<std::vector<Claimed>> done)
      : services_(services),
        request_(std::move(request)),
        lease_ms_(lease_ms),
        author_(author_of(request_.author, "claim")),
        deadline_ms_(services.clock.steady_ms() + request_.wait_ms),
        done_(std::move(done)) {}

  void receive() {
    const int64_t left_ms = std::max<int64_t>(0, deadline_ms_ - services_.clock.steady_ms());
    const int round = ++rounds_;
    keep(round,
         services_.store.queues()->receive({queue(), request_.count_max, lease_ms_, left_ms, true},
                                           [self = shared_from_this()](Result<std::vector<Delivery>> given) {
                                             self->take_elsewhere(std::move(given));
                                           }));
  }

  void cancel() override {
    std::unique_lock lock(mutex_);
    canceled_ = true;
    const auto wait = wait_;
    lock.unlock();
    if (wait) {
      wait->cancel();
    }
  }

 private:
  const Subject& subject() const { return request_.subject; }
  const std::string& queue() const { return subject().kind->queue; }

  // The store's thread may have begun the next round before this one's wait is here.
  void keep(int round, const std::shared_ptr<store::Wait>& wait) {
    std::unique_lock lock(mutex_);
    if (round <= kept_round_) {
      return;
    }
    kept_round_ = round;
    wait_ = wait;
    const bool is_over = canceled_;
    lock.unlock();
    if (is_over && wait) {
      wait->cancel();
    }
  }

  bool is_canceled() {
    const std::lock_guard lock(mutex_);
    return canceled_;
  }

  // The store's thread is the one that all wait for.
  void take_elsewhere(Result<std::vector<Delivery>> given) {
    if (!request_.run_elsewhere) {
      take(std::move(given));
      return;
    }
    request_.run_elsewhere(
        [self = shared_from_this(), given = std::move(given)]() mutable { self->take(std::move(given)); });
  }

  void take(Result<std::vector<Delivery>> given) {
    if (!given) {
      done_(std::move(given).error());
      return;
    }
    if (given->empty()) {
      done_(std::vector<Claimed>());
      return;
    }
    if (is_canceled()) {
      give_back(*given);
      return;
    }
    for (auto& delivery : *given) {
      add_parcel(std::move(delivery));
    }
    commit();
  }

  // Nobody is there any more to work on them.
  void give_back(const std::vector<Delivery>& given) {
    std::vector<store::Settlement> settlements;
    settlements.reserve(given.size());
    for (const auto& delivery : given) {
      settlements.push_back({delivery.receipt, 0});
    }
    services_.store.queues()->settle(
        queue(), std::move(settlements),
        [self = shared_from_this()](const Result<std::vector<store::Settled>>& /*settled*/) {
          self->done_(std::vector<Claimed>());
        });
  }

  // A message that is none of this kind's is left to the queue, which gives it up in the end.
  void add_parcel(Delivery delivery) {
    auto message = services_.store.queues()->read(delivery);
    if (!message || !*message) {
      return;
    }
    auto key = key_of_message(subject(), (*message)->body);
    if (!key) {
      log_warning(queue() + ": message " + (*message)->id + " is not understood: " + key.error().message);
      return;
    }
    Parcel parcel;
    parcel.delivery = std::move(delivery);
    parcel.message = **std::move(message);
    parcel.key = *std::move(key);
    parcels_.push_back(std::move(parcel));
  }

  void commit() {
    std::vector<Transaction> transactions;
    for (auto& parcel : parcels_) {
      auto transaction = decide(parcel);
      if (!transaction) {
        done_(std::move(transaction).error());
        return;
      }
      parcel.actions = kinds_of(*transaction);
      transactions.push_back(*std::move(transaction));
    }
    if (transactions.empty()) {
      end_round();
      return;
    }
    services_.store.commit_each(std::move(transactions),
                                [self = shared_from_this()](std::vector<Outcome> outcomes) {
                                  self->settle_parcels(std::move(outcomes));
                                });
  }

  Result<Transaction> decide(Parcel& parcel) {
    WAYBILL_TRY_ASSIGN(const auto table, table_of(services_, subject()));
    WAYBILL_TRY_ASSIGN(auto record, find_record(services_, subject(), parcel.key.view()));
    ++parcel.tries;
    parcel.goes_on = false;
    parcel.kind = ClaimKind::drop;
    Transaction transaction;
    transaction.author = author_;
    if (!record) {
      transaction.actions.push_back(settle(queue(), parcel.delivery.receipt));
      return transaction;
    }
    Draft draft(*std::move(record));
    WAYBILL_TRY_ASSIGN(const auto last,
                       find_last_claim(services_, subject(), parcel.key.view(), parcel.delivery.receipt));
    const auto decision = last.is_others ? ClaimDecision{ClaimKind::drop, 0}
                                         : decide_claim(subject().record(), draft,
                                                        parcel.delivery.receive_count, last.was_released);
    parcel.kind = decision.kind;
    parcel.attempt = decision.attempt;
    if (decision.kind == ClaimKind::give_up) {
      add_give_up(table, parcel, std::move(draft), transaction);
    } else if (decision.kind == ClaimKind::drop) {
      transaction.actions.push_back(change_of(table, parcel.key, draft));
      transaction.actions.push_back(settle(queue(), parcel.delivery.receipt));
    } else {
      parcel.until_ms = services_.clock.wall_ms() + lease_ms_;
      transaction.actions.push_back(change_of(table, parcel.key, draft));
      transaction.actions.push_back(settle(queue(), parcel.delivery.receipt, lease_ms_));
      transaction.actions.push_back(note_claim(last, parcel.delivery.receipt));
    }
    return transaction;
  }

  void add_give_up(const table::TablePtr& table, Parcel& parcel, Draft draft, Transaction& transaction) {
    const Draft as_seen(draft.seen());
    auto move = towards_giving_up(subject(), std::move(draft));
    if (!move) {
      transaction.actions.push_back(change_of(table, parcel.key, as_seen));
      transaction.actions.push_back(settle(queue(), parcel.delivery.receipt));
      return;
    }
    parcel.goes_on = !move->is_last;
    transaction.actions.push_back(change_of(table, parcel.key, move->draft));
    if (!move->is_last) {
      transaction.actions.push_back(hold(queue(), parcel.delivery.receipt));
      return;
    }
    transaction.actions.push_back(settle(queue(), parcel.delivery.receipt));
    std::ranges::move(with_last_move(services_, subject(), move->draft),
                      std::back_inserter(transaction.actions));
    if (!subject().kind->dead_letters.empty()) {
      transaction.actions.push_back(
          send(subject().kind->dead_letters,
               dead_letter_of(subject(), parcel.message, parcel.delivery.receive_count)));
    }
  }

  void settle_parcels(std::vector<Outcome> outcomes) {
    std::vector<Parcel> again;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      Parcel& parcel = parcels_[i];
      if (outcomes[i].kind == OutcomeKind::committed || outcomes[i].kind == OutcomeKind::repeated) {
        if (parcel.goes_on) {
          again.push_back(std::move(parcel));
        } else if (parcel.kind == ClaimKind::take) {
          hand_over(parcel, std::move(outcomes[i]));
        }
      } else if (may_try_again(parcel, outcomes[i])) {
        again.push_back(std::move(parcel));
      }
    }
    parcels_ = std::move(again);
    if (!parcels_.empty()) {
      commit();
    } else {
      end_round();
    }
  }

  bool may_try_again(const Parcel& parcel, const Outcome& outcome) {
    if (outcome.kind == OutcomeKind::failed) {
      failure_ = outcome.error;
      return false;
    }
    const auto refusal = refusal_of(parcel.actions, outcome);
    if (refusal && refusal->kind != ErrorKind::lease_lost) {
      log_warning(queue() + ": message " + parcel.message.id + " could not be claimed: " + refusal->message);
    }
    return !refusal && parcel.tries < tries_max;
  }

  void hand_over(Parcel& parcel, Outcome outcome) {
    auto& record = outcome.results.front().after;
    if (!record) {
      auto found = find_record(services_, subject(), parcel.key.view());
      record = found ? *std::move(found) : std::nullopt;
    }
    Claimed claimed;
    claimed.record = record ? *std::move(record) : parcel.key;
    claimed.id = rules::id_of(*subject().kind, parcel.key.view()).value_or("");
    claimed.lease = lease_of(parcel.delivery.receipt, parcel.until_ms);
    claimed.attempt = parcel.attempt;
    claimed.message = std::move(parcel.message.body);
    claimed_.push_back(std::move(claimed));
  }

  // Where all that was received needed no work, there may be more behind it.
  void end_round() {
    if (!claimed_.empty()) {
      done_(std::move(claimed_));
    } else if (failure_) {
      done_(*std::move(failure_));
    } else if (is_canceled()) {
      done_(std::vector<Claimed>());
    } else {
      receive();
    }
  }

  const Services services_;
  const ClaimRequest request_;
  const int64_t lease_ms_;
  const std::shared_ptr<const store::Author> author_;
  const int64_t deadline_ms_;
  Answer<std::vector<Claimed>> done_;
  std::vector<Parcel> parcels_;
  std::vector<Claimed> claimed_;
  std::optional<Error> failure_;
  std::atomic<int> rounds_{0};

  std::mutex mutex_;  // guards what follows
  int kept_round_ = 0;
  std::shared_ptr<store::Wait> wait_;
  bool canceled_ = false;
};

Status check(const Services& services, const ClaimRequest& request) {
  WAYBILL_TRY(check_work(services, request.subject));
  if (request.count_max < 1 || request.count_max > claim_count_max) {
    return Error{ErrorKind::invalid, "1 to " + std::to_string(claim_count_max) + " can be claimed at once",
                 "max"};
  }
  if (request.wait_ms < 0 || request.wait_ms > claim_wait_ms_max) {
    return Error{ErrorKind::invalid,
                 "A claim waits for 0 to " + std::to_string(claim_wait_ms_max / 1000) + " seconds", "wait_s"};
  }
  return {};
}

}  // namespace

std::shared_ptr<store::Wait> claim(const Services& services, ClaimRequest request,
                                   Answer<std::vector<Claimed>> done) {
  if (auto checked = check(services, request); !checked) {
    done(std::move(checked).error());
    return nullptr;
  }
  const auto lease_ms = lease_ms_of(services, request.subject, request.lease_ms);
  if (!lease_ms) {
    done(lease_ms.error());
    return nullptr;
  }
  const bool waits = request.wait_ms > 0;
  auto run = std::make_shared<Run>(services, std::move(request), *lease_ms, std::move(done));
  run->receive();
  return waits ? run : nullptr;
}

}  // namespace waybill::job
