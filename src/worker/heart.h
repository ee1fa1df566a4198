#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "client/job.h"
#include "client/jobs_client.h"

namespace waybill::worker {

// A job under way, as long as it is this process's.
class Hold {
 public:
  Hold(std::shared_ptr<const client::Job> job, int64_t until_ms)
      : job_(std::move(job)), until_ms_(until_ms) {}

  // Requested when the job is lost, or all is to end.
  std::stop_token stop() const { return stop_.get_token(); }
  void request_stop() { stop_.request_stop(); }

 private:
  friend class Heart;
  const std::shared_ptr<const client::Job> job_;
  std::stop_source stop_;

  // Guarded by the heart's mutex.
  int64_t until_ms_;      // by the steady clock: when the lease is over
  int64_t beat_ms_ = 0;   // when it is to be prolonged
  bool is_lost_ = false;  // somebody else may have the job now, or nobody wants it any more
};
using HoldPtr = std::shared_ptr<Hold>;

// Prolongs the leases of all jobs under way, on a thread of its own. A job whose lease is over, or is
// refused, is stopped.
//
// Thread safety: every method may be called from any thread.
class Heart {
 public:
  struct Options {
    client::Connection connection;
    int64_t lease_s = 30;
  };
  static Result<std::unique_ptr<Heart>> start(const Options& options);
  ~Heart();
  Heart(const Heart&) = delete;
  Heart& operator=(const Heart&) = delete;

  // From now on; it was claimed at `claimed_ms` of the steady clock, or later.
  HoldPtr take(std::shared_ptr<const client::Job> job, int64_t claimed_ms);

  // What is left of a job's time when it is prolonged no more.
  struct Released {
    bool is_lost = false;
    int64_t left_ms = 0;
  };
  Released release(const HoldPtr& hold);

  // Stops all jobs, those that are taken later as well.
  void stop_all();

 private:
  Heart(const Options& options, client::JobsClient client);
  void beat();
  HoldPtr wait_for_next(std::unique_lock<std::mutex>& lock);
  void prolong(const HoldPtr& hold);

  const Options options_;
  client::JobsClient client_;  // of the thread

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<HoldPtr> holds_;
  bool ending_ = false;
  bool stops_all_ = false;

  std::stop_source ends_;
  std::thread thread_;
};

}  // namespace waybill::worker
