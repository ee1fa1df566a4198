#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "alarm/decide.h"
#include "alarm/ledger.h"
#include "alarm/poster.h"
#include "alarm/sender.h"
#include "base/clock.h"
#include "base/entropy.h"
#include "base/result.h"
#include "store/store.h"

namespace waybill::alarm {

// Looks at all queues once a second, and tells of each alarm that begins and of each that ends: once, also
// over a restart, as far as those who are told take it; a notice that is told again has the same id.
//
// Thread safety: every method may be called from any thread.
class Alarms {
 public:
  struct Options {
    const Clock* clock = nullptr;
    Entropy* entropy = nullptr;
    Defaults defaults;
    int64_t look_interval_ms = 1'000;
  };

  // `poster` may be null: then the log alone tells. The store has queues; it and all that the options refer
  // to outlive this.
  static Result<std::unique_ptr<Alarms>> open(store::Store& store, const Options& options,
                                              std::unique_ptr<Poster> poster);
  ~Alarms();
  Alarms(const Alarms&) = delete;
  Alarms& operator=(const Alarms&) = delete;

  std::vector<Subject> raised() const;
  // How many notices are still to be told.
  std::size_t untold() const;

 private:
  Alarms(store::Store& store, const Options& options);

  void run();
  void look();
  std::vector<store::QueueStats> stats() const;
  void turn(const std::vector<Change>& changes);

  store::Store& store_;
  const Options options_;
  Ledger ledger_;
  std::unique_ptr<Sender> sender_;  // null: nobody is to be told
  State state_;                     // of the thread alone

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool stopping_ = false;

  std::thread thread_;
};

}  // namespace waybill::alarm
