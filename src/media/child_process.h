#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "media/files.h"
#include "media/limits.h"

namespace waybill::media {

// A child that is spoken to in lines, as its parent sees it. Killed and waited for with its owner.
//
// Thread safety: one thread at a time; interrupt() from any thread.
class ChildProcess {
 public:
  // Runs `argv` with one socket for standard input and output, an environment of its own, no other
  // descriptors but standard error, and in a process group of its own, so that the terminal's Ctrl-C is for
  // the parent. The first of `argv` is a path. It dies with the thread that calls this, where it has asked
  // for that (PR_SET_PDEATHSIG).
  static Result<ChildProcess> start(const std::vector<std::string>& argv);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();

  // What became of a line that was sent.
  enum class Outcome : unsigned char { answered, late, gone, babbled };

  // Sends a line and waits for one, for `timeout_ms` at most. After anything but `answered` the child is of
  // no use: end it.
  Outcome exchange(std::string_view line, const Clock& clock, int64_t timeout_ms, std::string& answer);

  // False where it has ended, or has said something that nobody asked for.
  bool is_ready() const;

  // An exchange that is under way, or begins later, gives `gone`.
  void interrupt();

  // Kills it, where it has not ended by itself, and returns what waitpid() says of its end. Once.
  int end();

  pid_t pid() const { return pid_; }

 private:
  ChildProcess(pid_t pid, Descriptor socket) : pid_(pid), socket_(std::move(socket)) {}

  pid_t pid_;
  Descriptor socket_;
};

// How a child ended in the middle of a task, as an error of that task.
Error describe_end(int wait_status, const Limits& limits);

}  // namespace waybill::media
