#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "worker/steps/values.h"
#include "worker/steps/workflow.h"

// What is left of a step in the job's record. Errors as worker/trouble.h has them.
namespace waybill::worker::steps {

inline constexpr std::size_t output_bytes_max = std::size_t{1} << 20;  // that a step may give
inline constexpr std::size_t shown_bytes_max = 4'096;    // left of it where the file says nothing
inline constexpr std::size_t kept_bytes_max = 32 << 10;  // left of it where the file says what

// Appends what a step has given under `name`: as JSON where it is that and may be, else as text, else not at
// all. STEP_OUTPUT_INVALID where it is not what the step must give.
struct Given {
  std::string_view bytes;
  bool is_cut = false;      // there was more
  bool claims_json = true;  // whoever gave it says that it is JSON, or says nothing
};
Status append_given(json::Writer& writer, std::string_view name, const Given& given, Step::Output wanted);

// What the record keeps of the step's output, an object: what `keep` says of it, else all, without texts and
// JSON that are too long. STEP_OUTPUT_TOO_LARGE, STEP_VALUE_MISSING.
Result<std::string> kept_of(const Step& step, const std::string& output, Values& values);

}  // namespace waybill::worker::steps
