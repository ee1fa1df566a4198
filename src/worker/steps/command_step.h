#pragma once

#include <string>

#include "base/result.h"
#include "worker/steps/guarded_process.h"
#include "worker/steps/step_run.h"
#include "worker/steps/values.h"
#include "worker/steps/workflow.h"

namespace waybill::worker::steps {

// The command with its values filled in, and an environment of its own: PATH, LANG, HOME and TMPDIR (the
// job's folder), what the worker tells (WAYBILL_JOB_ID, WAYBILL_WORKFLOW, WAYBILL_STEP, WAYBILL_ATTEMPT,
// WAYBILL_IDEMPOTENCY_KEY) and what the file says; nothing else of the worker's. STEP_VALUE_MISSING where a
// value is missing. STEP_ARGUMENT_REFUSED where a value would be taken for an option: an argument that begins
// with a value may begin with a hyphen behind "--" alone.
Result<CommandLine> make_command(const Command& command, const Values& values, const StepRun& run);

// Runs it once. Errors as worker/trouble.h has them; none has an argument or output in it.
Attempt run_once(const Step& step, const Command& command, const Values& values, const StepRun& run);

}  // namespace waybill::worker::steps
