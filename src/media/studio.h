#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "media/child_process.h"
#include "media/limits.h"
#include "media/message.h"
#include "media/tasks.h"

namespace waybill::media {

// Where images are worked on: in children that are started when they are first needed, stay warm, take one
// task at a time, and are replaced when they die.
//
// Thread safety: every method may be called from any thread.
// Blocking: a call returns when its task is done. It waits for a free child without bound: bound the callers.
// Its wall time counts from when it has one. Failure: the errors of a task are
//   unsupported     the file is none of the five formats
//   invalid         it is broken or cut off; or the task breaks a rule
//   not_found       there is no such input, or no folder for the output
//   too_large       bytes or pixels are over the limits
//   limit_exceeded  it took more time or memory than it may
//   internal        its decoder crashed
//   unavailable     no child can be started, the disk is full, or the studio is closing: try again later
// All but the last come again with the same file, as a rule.
class Studio {
 public:
  struct Options {
    std::vector<std::string> child;  // the command line of a program that runs child_main(); a path first
    std::size_t children_max = 2;
    const Clock* clock = nullptr;  // outlives the studio
    Limits limits;
    std::size_t tasks_of_a_child_max = 1'000;  // then it is replaced: what libraries leak ends with it
    int64_t start_ms_max = 10'000;
    int nice = 0;  // how far children stand back behind others on this machine, up to 19
  };

  explicit Studio(Options options);
  // Closes, and ends all children.
  ~Studio();
  Studio(const Studio&) = delete;
  Studio& operator=(const Studio&) = delete;

  Result<Converted> convert(const ConvertTask& task);
  Result<Analysis> analyse(const AnalyseTask& task);
  Result<Edited> edit(const EditTask& task);

  // Calls that are under way, and later ones, return Error unavailable. Waits for the former.
  void close();

  // How busy it is now.
  struct Load {
    std::size_t children = 0;  // that are ready or at work
    std::size_t tasks = 0;     // that children work on
    std::size_t waiting = 0;   // tasks that have no child yet
  };
  Load load() const;

 private:
  struct Child {
    ChildProcess process;
    std::size_t tasks = 0;
  };
  using ChildPtr = std::unique_ptr<Child>;

  template <typename Read>
  auto perform(Task task, Read read) -> decltype(read(json::Value()));
  Result<std::string> run(const Request& request);
  Result<std::string> run_on(Child& child, const Request& request, const std::string& line, bool& is_healthy);
  Result<ChildPtr> take_child();
  void give_back(ChildPtr child, bool is_healthy);
  ChildPtr take_idle();

  void keep_children();
  Result<ChildPtr> start_child();
  Status greet(Child& child);

  const Options options_;

  mutable std::mutex mutex_;         // guards what follows
  std::condition_variable changed_;  // for callers: a child is free, a start has failed, all is closing
  std::condition_variable needed_;  // for the keeper: there are fewer children than wanted, or all is closing
  std::vector<ChildPtr> idle_;
  std::set<Child*> busy_;     // with a task, or about to be ready for the first
  std::size_t starting_ = 0;  // of those in busy_
  std::size_t wanted_ = 0;    // how many children the load has asked for so far
  std::size_t callers_ = 0;
  std::size_t waiting_ = 0;  // of the callers
  std::size_t failed_starts_ = 0;
  std::optional<Error> start_error_;  // of the last failed start
  uint64_t next_part_ = 0;
  bool closing_ = false;

  // A child dies with the thread that started it (sandbox.h), so none of the callers' may.
  std::thread keeper_;
};

}  // namespace waybill::media
