#pragma once

#include <string_view>

#include "base/result.h"
#include "media/limits.h"
#include "media/tasks.h"

// The tasks themselves, in this process, which load_vips() has prepared. Time and memory are not bounded
// here. `part` is added to the names of outputs that are not whole yet. Errors are those of load() and of
// OutputFile.
namespace waybill::media {

Result<Converted> convert(const ConvertTask& task, const Limits& limits, std::string_view part);
Result<Analysis> analyse(const AnalyseTask& task, const Limits& limits);
Result<Edited> edit(const EditTask& task, const Limits& limits, std::string_view part);

}  // namespace waybill::media
