#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "client/connection.h"
#include "client/served.h"
#include "worker/heart.h"
#include "worker/worker.h"

namespace waybill::worker {

// How jobs are worked on in this process. Plain data.
struct Running {
  client::Connection jobs;                    // the server with the records
  client::Connection objects;                 // the one with the objects
  client::OwnObjects* own_objects = nullptr;  // where this process is that server
  Tools tools;
  std::size_t slots = 1;  // jobs of one kind at a time
  int64_t lease_s = 30;   // how soon others get what this process has lost
  std::string folder;     // for files of jobs under way
  std::string name;       // of this process, for histories: "host-4711"
  int nice = 0;           // how far it stands back behind others on this machine, up to 19
};

// Works on the jobs of one kind of record: slots claim, each on a thread of its own, for as long as it runs.
//
// A job that is lost (its lease is over, somebody canceled it) is stopped, and nothing more is said of it.
// Trouble that may pass is put off, for good where the contract lets no failed record be tried again. Where
// the server is away, slots wait.
//
// Thread safety: every method may be called from any thread.
class Runner {
 public:
  // `running` outlives it. Error unsupported where there is no such worker here.
  static Result<std::unique_ptr<Runner>> start(const client::Served& served, const Running& running);

  // Stops, ends jobs under way and waits.
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  const client::Served& served() const { return served_; }

  // No further claims; jobs under way go on.
  void stop();
  // Jobs under way are stopped and given back: somebody else gets them at once.
  void end_jobs();
  // Waits until all slots have ended.
  void join();

  bool is_idle() const { return busy_ == 0; }

 private:
  // What a slot has for itself.
  struct Slot {
    std::size_t number = 0;
    std::string name;
    client::JobsClient jobs;
    client::ObjectClient objects;
    std::size_t jobs_done = 0;
  };

  Runner(client::Served served, const Running& running, std::unique_ptr<Worker> worker,
         std::unique_ptr<Heart> heart);
  Result<Slot> make_slot(std::size_t number) const;
  void run(Slot slot);
  void work_on(Slot& slot, const std::shared_ptr<const client::Job>& job, int64_t claimed_ms);
  Result<Outcome> attempt(Slot& slot, const client::Job& job, const std::stop_token& stop);
  void settle(Slot& slot, const client::Job& job, const Result<Outcome>& outcome, int64_t left_ms);
  Status put_off_or_fail(Slot& slot, const client::Job& job, const client::Failure& failure,
                         const client::Calling& calling) const;

  const client::Served served_;
  const Running& running_;
  const std::unique_ptr<Worker> worker_;
  const std::unique_ptr<Heart> heart_;
  std::stop_source claims_;
  std::atomic<std::size_t> busy_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace waybill::worker
