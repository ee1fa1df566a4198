#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "job/services.h"

namespace waybill::job {

// Looks after records that nobody else does: those whose message the queue itself has given up after too many
// receives, because worker after worker was lost. They move to where the contract gives up, and their message
// stays with the dead letters.
//
// Thread safety: every method may be called from any thread.
class Keeper {
 public:
  // All contracts in force, now.
  using Contracts = std::function<std::vector<rules::DeployedPtr>()>;

  // Looks every `interval_ms` of the machine's time, until it is destroyed.
  Keeper(Services services, Contracts contracts, int64_t interval_ms = 1000);
  ~Keeper();
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  // One look at all dead-letter queues; returns how many records were given up. Blocks its caller.
  std::size_t look();

 private:
  void run();
  bool has_news(const std::string& queue);
  std::size_t look_at(const Subject& subject);

  const Services services_;
  const Contracts contracts_;
  const int64_t interval_ms_;
  std::mutex looking_;  // one look at a time; guards what follows
  std::map<std::string, uint64_t>
      dead_lettered_;  // by queue: how many messages it had given up by the last look
  std::mutex mutex_;   // guards what follows
  std::condition_variable changed_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace waybill::job
