#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "media/studio.h"
#include "worker/runner.h"
#include "worker/work_folder.h"

namespace waybill::worker {

// All built-in workers of a process: one runner for each kind of record whose contract names one. Contracts
// that come into force later get theirs within seconds, and those that go lose theirs.
//
// Thread safety: every method may be called from any thread.
class Crew {
 public:
  // The server, where it is on the same machine, goes first: a worker whose bytes it owes waits for it.
  static constexpr int nice_default = 10;

  struct Options {
    client::Connection jobs;
    client::Connection objects;
    client::OwnObjects* own_objects = nullptr;  // where this process is the server with the objects
    Entropy* entropy = nullptr;
    std::optional<std::vector<std::string>> only = {};  // names of workers; absent: all
    std::size_t slots = 0;                              // of each runner; 0: one for each processor
    int64_t lease_s = 30;
    std::string folder_parent;        // where the folder for files of jobs is made
    std::vector<std::string> studio;  // the command line of a program that runs media::child_main()
    int nice = nice_default;          // how far jobs stand back behind others on this machine, up to 19
    std::string workflows = {};       // folder with the files of workflows; "": jobs of them are left alone
    std::vector<std::string> guard = {};  // the command line of a program that runs steps::guard_main()
  };

  // Does not wait for the server. Error invalid where the folder cannot be made, or a workflow is not as it
  // should be.
  static Result<std::unique_ptr<Crew>> start(const Options& options);

  // Stops.
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // Looks at the contracts now.
  void look();

  // Claims no more, lets jobs under way end for so long, and gives back those that have not. Once.
  static constexpr int64_t grace_ms_default = 5'000;
  void stop(int64_t grace_ms = grace_ms_default);

 private:
  Crew(const Options& options, WorkFolder folder, client::JobsClient client);
  void keep();
  void bring_up_to_date(const std::vector<client::Served>& wanted);
  bool is_wanted(const client::Served& served) const;
  bool is_idle();

  const Options options_;
  WorkFolder folder_;
  media::Studio studio_;
  Running running_;
  client::JobsClient client_;  // of the thread
  std::stop_source ends_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Runner>> runners_;
  bool is_to_look_ = false;
  bool ending_ = false;

  std::thread thread_;
};

// The words of a list such as "photo,text"; nothing for "none". Error invalid where one is no worker's name.
Result<std::vector<std::string>> read_worker_list(const std::string& what, const std::string& list);

}  // namespace waybill::worker
