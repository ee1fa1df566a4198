#pragma once

#include <string>

#include "base/result.h"
#include "http/client.h"
#include "worker/steps/step_run.h"
#include "worker/steps/values.h"
#include "worker/steps/workflow.h"

namespace waybill::worker::steps {

// The request with its values filled in. STEP_VALUE_MISSING where there is none.
Result<http::ClientRequest> make_request(const HttpCall& call, const Values& values,
                                         const std::string& idempotency_key);

// Asks once. Errors as worker/trouble.h has them; none has a header, a body or a URL in it.
Attempt call_once(const Step& step, const HttpCall& call, const Values& values, const StepRun& run);

}  // namespace waybill::worker::steps
