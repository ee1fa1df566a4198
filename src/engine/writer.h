#pragma once

#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "engine/batch.h"
#include "engine/catalog.h"
#include "engine/database.h"
#include "engine/job_queue.h"
#include "engine/queues/alarm_clock.h"
#include "engine/queues/book.h"
#include "engine/watermark.h"
#include "engine/writer_state.h"

namespace waybill::engine {

// Tells the operator and ends the process, without running anything that could write.
[[noreturn]] void end_process(std::string_view why);

// The one thread that changes the store. It takes the jobs that have gathered, lets each decide against the
// store and what the ones before it have changed, writes all of it with one sync, and then tells everybody;
// receives of messages may be told before the sync. While one batch syncs, the next one gathers.
//
// Thread safety: submit(), stats() and counter() from any thread.
class Writer {
 public:
  struct Options {
    const Clock* clock;
    usage::Meter* meter;
    bool sync;
  };

  // All that is referred to outlives the writer.
  Writer(const Database& database, Watermark& watermark, Catalog& catalog, WriterState state,
         std::unique_ptr<queues::Book> book, Options options);
  // Finishes what was submitted.
  ~Writer();

  // The job's finish() is called on the writer's thread once its batch is on disk.
  void submit(std::unique_ptr<Job> job);

  // How many jobs wait. Callers use it to refuse work before it piles up.
  std::size_t waiting() const { return waiting_.load(std::memory_order_relaxed); }

  store::Stats stats(table::SpaceId space) const;
  // See Store::counter.
  Result<int64_t> counter(std::string_view name) const { return state_.counters->read(name); }

  // For jobs alone.
  queues::Book& book() { return *book_; }

  // Whether every change before that moment is on disk and seen by readers. From the first yes on no later
  // change gets an earlier time, even where the clock is set back.
  bool is_past(int64_t time_ms);

 private:
  class StopJob;
  static constexpr int64_t nothing_under_way = std::numeric_limits<int64_t>::max();

  void run();
  void run_batch(std::vector<std::unique_ptr<Job>>& jobs, std::size_t& next);
  struct Jobs;
  void commit(Batch& batch, Jobs& jobs);
  void write(Batch& batch, bool sync);
  void sync();
  void note_synced();
  void publish(const Batch& batch);
  void set_alarm();

  const Database& database_;
  Watermark& watermark_;
  Catalog& catalog_;
  const std::unique_ptr<queues::Book> book_;
  WriterState state_;
  const Options options_;
  rocksdb::WriteBatch writes_;  // lent to each batch in turn
  JobQueue queue_;
  std::atomic<std::size_t> waiting_{0};
  // A moment before which no change is under way, and one before which none may begin. The writer says what
  // it is about to do before it looks at the floor, and a reader lays the floor before it looks at the
  // writer: one of them sees the other.
  std::atomic<int64_t> under_way_ms_{nothing_under_way};
  std::atomic<int64_t> floor_ms_{0};
  bool stopping_ = false;

  mutable std::mutex stats_mutex_;  // guards stats_, the counts as of the last commit
  std::unordered_map<table::SpaceId, store::Stats> stats_;

  int64_t alarm_ms_ = queues::AlarmClock::never;  // as alarm_ is set
  std::unique_ptr<queues::AlarmClock> alarm_;  // rings when those who wait for a message are to be looked at
  std::thread thread_;
};

}  // namespace waybill::engine
