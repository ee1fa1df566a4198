#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "base/unique_function.h"

namespace waybill::api::s3 {

// Threads for work that waits for a disk or a commit, so that no connection's thread has to.
//
// Thread safety: every method may be called from any thread.
class Workers {
 public:
  // `name` is seen in top and debuggers.
  Workers(int threads, const char* name);
  // Waits for what is being done; what nobody has begun is destroyed without being run.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  using Work = UniqueFunction<void()>;
  // Never runs it inside this call. What waits is bounded by those who post: one piece of work for each
  // request and each body under way, of which the server takes no more than it has connections.
  void post(Work work);

 private:
  void run();

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<Work> waiting_;
  bool stopping_ = false;

  std::vector<std::thread> threads_;
};

}  // namespace waybill::api::s3
