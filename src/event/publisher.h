#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "event/ledger.h"
#include "event/line.h"
#include "event/target.h"

namespace waybill::event {

// Tells the events of one contract to one target, on a thread of its own: each at least once, those of one
// record in their order. An event that fails is tried again until it is taken, refused, or a day has passed;
// until then the later ones of its record wait, and no others.
//
// Thread safety: every method may be called from any thread.
class Publisher {
 public:
  struct Options {
    std::string name;  // of the target, among the ledger's audience
    std::unique_ptr<Target> target;
    const Clock* clock = nullptr;
    int64_t look_interval_ms = 200;  // how often the journal is looked at while there is nothing to do
  };

  // Begins. Ledger and clock outlive it.
  Publisher(Ledger& ledger, Options options);
  // Ends after the attempt that is under way, which is cut short. What is not told yet stays pending.
  ~Publisher();
  Publisher(const Publisher&) = delete;
  Publisher& operator=(const Publisher&) = delete;

  // There may be something new.
  void wake();
  // There may be something where it has looked already.
  void begin_again();

 private:
  // Rows that are told together, and what became of them.
  struct Round {
    std::vector<RowKey> nothing_to_tell;
    std::vector<Event> events;
    std::vector<RowKey> keys;  // of the events
    std::vector<Ledger::Outcome> outcomes;
  };

  void run();
  bool tell_some();
  Status look();
  bool tell(const std::vector<RowKey>& keys);
  Round sort_out(const std::vector<RowKey>& keys, const std::vector<std::optional<item::Item>>& rows) const;
  bool settle(const Round& round);
  void complain(std::string_view what, const Error& error) const;
  bool is_stopping();

  Ledger& ledger_;
  const Options options_;

  // Of the thread alone.
  Line line_;
  std::string place_;  // of the journal, up to which its rows are in the line or over

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool stopping_ = false;
  bool woken_ = false;
  bool again_ = false;

  std::thread thread_;
};

}  // namespace waybill::event
