#pragma once

#include "base/result.h"
#include "media/limits.h"

// What a child takes from itself before it looks at files of strangers. Each is final for the process.
// Programs that are built with a sanitizer keep their address space, their standard error and their cores: a
// sanitizer needs them.
namespace waybill::media {

// Dies with the thread that started it, gets no privileges by running other programs, leaves no core, and has
// few files open.
Status enter_sandbox();

// No more memory and no larger files than `limits` say.
Status bound_process(const Limits& limits);

// For when everything is loaded: no other programs, no sockets, no looks into other processes. What is tried
// all the same fails with "operation not permitted".
Status forbid_system_calls();

// What libraries print is lost from now on: some of it would come out of the files.
void silence_output();

// From now on `seconds_max` of processor time, counted to the next full second; then SIGXCPU ends the
// process.
Status allow_cpu_seconds(int64_t seconds_max);

}  // namespace waybill::media
