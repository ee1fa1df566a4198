#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "event/progress.h"
#include "event/row.h"
#include "event/target.h"
#include "store/store.h"

namespace waybill::event {

// An event that was given up on.
struct ParkedEvent {
  RowKey key;
  std::string type;
  int64_t at_ms = 0;  // when it happened
  std::string why;    // "webhook hooks.example.com/a: status 410"; of several targets with "; " between
};

// Figures of one contract.
struct Counts {
  std::string contract;
  // As the journal has it; 10,000 at most are counted.
  std::size_t pending = 0;
  std::size_t parked = 0;
  int64_t oldest_pending_ms = 0;  // when the first of them happened; 0: there is none
  // Since the start.
  uint64_t published = 0;  // events that all targets have
  uint64_t given_up = 0;   // events that were parked
  uint64_t failures = 0;   // attempts that failed, of any target
};

// The journal of one contract, as far as its events are still to be told.
//
// Thread safety: every method may be called from any thread but the store's own: those that change something
// return when that is on disk.
class Ledger {
 public:
  // Store and clock outlive it; the store has the system's tables.
  Ledger(store::Store& store, const Clock& clock, Audience audience)
      : store_(store), clock_(clock), audience_(std::move(audience)) {}

  const Audience& audience() const { return audience_; }

  // A stretch of the rows that are pending, in their order.
  struct Stretch {
    std::vector<RowKey> keys;
    std::string end;  // where the next one begins
  };
  // From `begin` on ("": the first).
  Result<Stretch> pending(const std::string& begin, std::size_t count_max) const;

  // The rows of these keys, nothing for those that are not there any more.
  Result<std::vector<std::optional<item::Item>>> read(const std::vector<RowKey>& keys) const;

  struct Outcome {
    RowKey key;
    Delivery delivery;
  };
  // Notes what became of events at a target, and marks those that all have, each by itself. For each whether
  // it is over for that target. Where it fails, all is as if the events had not been told.
  Result<std::vector<bool>> note(const std::string& target, const std::vector<Outcome>& outcomes);

  // Marks rows that nobody is left for.
  Status note_audience(const std::vector<RowKey>& keys);

  Result<std::vector<ParkedEvent>> parked(std::size_t count_max) const;
  // Lets it be told again to those who refused it. Error not_found where it is not parked.
  Status unpark(const RowKey& key);
  // The same for the first of those that are parked. Returns how many that were.
  Result<std::size_t> unpark_all(std::size_t count_max);

  Result<Counts> counts() const;

 private:
  struct Step {
    item::Item before;
    NextRow next;
  };
  Status apply(const std::vector<Step>& steps);
  store::Transaction transaction_of(const Step& step, bool with_outbox) const;
  Status apply_without_outbox(const Step& step, const Error& refusal);
  void count(const Step& step);

  store::Store& store_;
  const Clock& clock_;
  const Audience audience_;
  std::mutex mutex_;  // held from the read of a row to its commit, so that targets see each other's notes
  std::atomic<uint64_t> published_ = 0;
  std::atomic<uint64_t> given_up_ = 0;
  std::atomic<uint64_t> failures_ = 0;
};

}  // namespace waybill::event
