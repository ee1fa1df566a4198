#pragma once

#include <cstdint>

// Between a worker and a command stands a guard: a process that runs the command, tells how it ended, and
// kills all that the command has started when it has ended, when the worker says so, and when the worker is
// gone, however it went. A worker that is killed leaves nothing that runs.
namespace waybill::worker::steps {

// The socket to the worker, as the guard has it.
inline constexpr int guard_socket = 3;

// What the worker says: one byte asks the command to end (SIGTERM). When it closes its side, everything is
// killed.
inline constexpr char guard_ask_to_end = 'T';

// What the guard says, once, before it ends.
struct GuardReport {
  int32_t failure = 0;      // errno where the command could not be started; 0: it was
  int32_t wait_status = 0;  // of waitpid()
};

// The guard: runs the command that `argv` is, with this process's environment, folder and standard streams,
// in a process group of its own. Returns the exit code for main().
int guard_main(char** argv);

}  // namespace waybill::worker::steps
