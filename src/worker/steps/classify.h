#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "worker/steps/workflow.h"

// What an answer or an exit code means for the job. Pure. Errors as worker/trouble.h has them.
namespace waybill::worker::steps {

// Nothing where the call has done what it should.
//
// Trouble that may pass: 408, 425, 429, 5xx but 501 and 505, and what `retry_on` has. Anything else would
// come again. Redirects are not followed: what goes to one place is not meant for another.
std::optional<Error> trouble_of_status(const HttpCall& call, int status);

// Nothing where the command has done what it should. `wait_status` is that of waitpid().
//
// Final are those of `final_on`, and, where `retry_on` does not have them, those that sysexits.h and shells
// have for what would come again (64 to 68, 76 to 78, 126, 127). All others, and ends by a signal, may pass.
std::optional<Error> trouble_of_exit(const Command& command, int wait_status);

}  // namespace waybill::worker::steps
