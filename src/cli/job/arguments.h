#pragma once

#include "cli/job/options.h"

namespace CLI {
class App;
}

namespace waybill::cli::job {

// Adds `job` and its commands, and returns it. `options`, which outlives the parsing, is filled while it goes
// on; what is wrong with a target or a field is an error of parsing.
const CLI::App* add_job(CLI::App& app, JobOptions& options);

}  // namespace waybill::cli::job
