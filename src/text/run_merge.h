#pragma once

#include <cstdint>
#include <stop_token>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_function.h"
#include "text/run.h"

namespace waybill::text {

// Gives each word of the runs to `take` once, in order, with its count in all of them. False where `stop` was
// requested before the end.
Result<bool> merge_runs(std::vector<Run> runs, const std::stop_token& stop,
                        UniqueFunction<Status(std::string_view word, uint64_t count)> take);

}  // namespace waybill::text
