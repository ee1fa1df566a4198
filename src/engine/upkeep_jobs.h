#pragma once

#include <cstdint>
#include <future>
#include <string>
#include <vector>

#include "engine/batch.h"
#include "engine/job_queue.h"
#include "usage/minute.h"

// Small pieces of work that keep the store in order, done between the clients' transactions.
namespace waybill::engine {

// Fills an index (or the expiry index) with the next items of its table. Takes a batch for itself, so that
// the items it walks over are the current ones; between two pieces clients get their turn.
class BackfillJob final : public Job {
 public:
  // done: true where the index is complete, or gone.
  BackfillJob(table::SpaceId table, table::SpaceId index, std::promise<bool> done)
      : table_(table), index_(index), done_(std::move(done)) {}

  bool alone() const override { return true; }
  void decide(Batch& batch) override;
  void finish() override { done_.set_value(complete_); }

 private:
  void add(const table::Table& table, std::string_view key, std::string_view record, Batch& batch) const;
  void complete(const table::Table& table, Batch& batch) const;

  const table::SpaceId table_;
  const table::SpaceId index_;
  std::promise<bool> done_;
  bool complete_ = false;
};

// Removes items whose time has passed, after looking at each of them again.
class SweepJob final : public Job {
 public:
  SweepJob(table::SpaceId table, std::vector<std::string> keys, std::promise<void> done)
      : table_(table), keys_(std::move(keys)), done_(std::move(done)) {}

  void decide(Batch& batch) override;
  void finish() override { done_.set_value(); }

 private:
  const table::SpaceId table_;
  const std::vector<std::string> keys_;
  std::promise<void> done_;
};

// Removes request tokens that are too old to matter.
class ForgetTokensJob final : public Job {
 public:
  explicit ForgetTokensJob(int64_t before_ms) : before_ms_(before_ms) {}
  void decide(Batch& batch) override { batch.forget_tokens_before(before_ms_); }
  void finish() override {}

 private:
  const int64_t before_ms_;
};

// Forgets a stream that ended long ago.
class ForgetStreamJob final : public Job {
 public:
  explicit ForgetStreamJob(table::StreamPtr stream) : stream_(std::move(stream)) {}
  void decide(Batch& batch) override { batch.forget_stream(*stream_); }
  void finish() override {}

 private:
  const table::StreamPtr stream_;
};

// Drops changes that nobody may read any more.
class TrimLogJob final : public Job {
 public:
  TrimLogJob(table::SpaceId log, int64_t before_ms) : log_(log), before_ms_(before_ms) {}
  void decide(Batch& batch) override { batch.trim_log(log_, before_ms_); }
  void finish() override {}

 private:
  const table::SpaceId log_;
  const int64_t before_ms_;
};

// Writes down what tables and indexes were used for. What is known of a minute already is added to, so it
// takes a batch for itself; what is gone by now is left out.
class RecordUsageJob final : public Job {
 public:
  RecordUsageJob(std::vector<usage::SpaceMinute> minutes, std::promise<void> done)
      : minutes_(std::move(minutes)), done_(std::move(done)) {}

  bool alone() const override { return true; }
  void decide(Batch& batch) override;
  void finish() override { done_.set_value(); }

 private:
  const std::vector<usage::SpaceMinute> minutes_;
  std::promise<void> done_;
};

class TrimUsageJob final : public Job {
 public:
  TrimUsageJob(table::SpaceId space, int64_t before_minute) : space_(space), before_minute_(before_minute) {}
  void decide(Batch& batch) override { batch.trim_usage(space_, before_minute_); }
  void finish() override {}

 private:
  const table::SpaceId space_;
  const int64_t before_minute_;
};

}  // namespace waybill::engine
