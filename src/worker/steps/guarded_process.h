#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"

namespace waybill::worker::steps {

// A command to run. Plain data.
struct CommandLine {
  std::vector<std::string> argv;         // the program, found by PATH where it has no slash, and arguments
  std::vector<std::string> environment;  // all of it: "NAME=VALUE"
  std::string folder;                    // where it runs
  std::string input;                     // a file; "": nothing
};

struct GuardOptions {
  std::vector<std::string> guard;  // the command line of a program that runs guard_main()
  int64_t timeout_ms = 60'000;     // then it is asked to end, and killed a little later
  std::size_t output_bytes_max = 0;
  std::stop_token stop;  // kills it at once
  const Clock* clock = nullptr;
};

// How a command ended.
struct CommandEnd {
  int wait_status = 0;  // of waitpid()
  int failure = 0;      // errno where it could not be started
  bool is_late = false;
  std::string output;      // as much as is kept
  bool is_cut = false;     // there was more
  std::string complaints;  // the beginning of what it wrote to standard error
};

// Runs it to its end; when this returns, nothing that it has started runs any more. Output is read to its end
// and kept as far as it may be. Error unavailable where there can be no process or file.
Result<CommandEnd> run_guarded(const CommandLine& command, const GuardOptions& options);

}  // namespace waybill::worker::steps
