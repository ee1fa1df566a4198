#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "job/actions.h"
#include "job/change.h"
#include "job/envelope.h"
#include "job/fields.h"
#include "job/machine.h"
#include "job/replay.h"
#include "job/restart.h"

namespace waybill::job {

namespace {

using store::Delivery;
using store::Outcome;
using store::OutcomeKind;
using store::Transaction;

constexpr uint32_t batch_max = 10;
constexpr int64_t hidden_ms = 60'000;  // for so long nobody else meets what could not be replayed

enum class Meant : unsigned char { replay, drop };

// Receives dead letters, and puts the record of each back to work, until there are no more or enough.
class Run : public std::enable_shared_from_this<Run> {
 public:
  Run(const Services& services, ReplayManyRequest request, Answer<Replayed> done)
      : services_(services),
        request_(std::move(request)),
        author_(author_of(request_.author, "replay")),
        done_(std::move(done)) {}

  void receive() {
    const uint32_t left = request_.count_max - replayed_.count;
    if (left == 0) {
      done_(replayed_);
      return;
    }
    services_.store.queues()->receive(
        {queue(), std::min(left, batch_max), hidden_ms, 0},
        [self = shared_from_this()](Result<std::vector<Delivery>> given) { self->take(std::move(given)); });
  }

 private:
  const Subject& subject() const { return request_.subject; }
  const std::string& queue() const { return subject().kind->dead_letters; }

  void take(Result<std::vector<Delivery>> given) {
    if (!given) {
      done_(std::move(given).error());
      return;
    }
    if (given->empty()) {
      done_(replayed_);
      return;
    }
    std::vector<Transaction> transactions;
    meant_.clear();
    for (const auto& delivery : *given) {
      auto transaction = decide(delivery);
      if (!transaction) {
        done_(std::move(transaction).error());
        return;
      }
      if (*transaction) {
        transactions.push_back(**std::move(transaction));
      }
    }
    services_.store.commit_each(
        std::move(transactions),
        [self = shared_from_this()](const std::vector<Outcome>& outcomes) { self->count(outcomes); });
  }

  // Nothing where the letter is not understood, or its record is still to be given up: it stays.
  Result<std::optional<Transaction>> decide(const Delivery& delivery) {
    WAYBILL_TRY_ASSIGN(const auto message, services_.store.queues()->read(delivery));
    const auto key = message ? key_of_message(subject(), message->body) : Result<item::Item>(invalid(""));
    if (!key) {
      return std::optional<Transaction>();
    }
    WAYBILL_TRY_ASSIGN(const auto table, table_of(services_, subject()));
    WAYBILL_TRY_ASSIGN(auto record, find_record(services_, subject(), key->view()));
    Transaction transaction;
    transaction.author = author_;
    Meant meant = Meant::drop;
    if (record) {
      Draft draft(*std::move(record));
      const std::string status = status_of(subject().record(), draft);
      if (may_replay(subject().record(), status)) {
        restart(subject(), draft);
        meant = Meant::replay;
      } else if (!is_end(subject().record(), status) && !is_seen_to(*message)) {
        return std::optional<Transaction>();
      }
      transaction.actions.push_back(change_of(table, *key, draft));
    }
    transaction.actions.push_back(settle(queue(), delivery.receipt));
    meant_.push_back(meant);
    return std::optional(std::move(transaction));
  }

  void count(const std::vector<Outcome>& outcomes) {
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      if (outcomes[i].kind == OutcomeKind::failed) {
        done_(*outcomes[i].error);
        return;
      }
      const bool is_done = outcomes[i].kind == OutcomeKind::committed;
      replayed_.count += is_done && meant_[i] == Meant::replay ? 1 : 0;
      replayed_.dropped += is_done && meant_[i] == Meant::drop ? 1 : 0;
    }
    receive();
  }

  const Services services_;
  const ReplayManyRequest request_;
  const std::shared_ptr<const store::Author> author_;
  Answer<Replayed> done_;
  std::vector<Meant> meant_;  // of the transactions that are under way
  Replayed replayed_;
};

Status check(const Services& services, const ReplayManyRequest& request) {
  WAYBILL_TRY(check_replay(services, request.subject));
  if (request.subject.kind->dead_letters.empty()) {
    return Error{ErrorKind::unsupported, "The contract has no dead letters", {}};
  }
  if (request.count_max < 1 || request.count_max > replay_count_max) {
    return Error{ErrorKind::invalid, "1 to " + std::to_string(replay_count_max) + " can be replayed at once",
                 "max"};
  }
  return {};
}

}  // namespace

void replay_many(const Services& services, ReplayManyRequest request, Answer<Replayed> done) {
  if (auto checked = check(services, request); !checked) {
    done(std::move(checked).error());
    return;
  }
  std::make_shared<Run>(services, std::move(request), std::move(done))->receive();
}

}  // namespace waybill::job
