#pragma once

#include "base/result.h"
#include "cli/job/api.h"
#include "cli/job/options.h"

// One command, one file. Each prints what it was asked for; its Error is one line for people.
namespace waybill::cli::job {

Status create(Api& api, const JobOptions& options);
Status list(Api& api, const JobOptions& options);
Status counts(Api& api, const JobOptions& options);
Status show(Api& api, const JobOptions& options);
Status watch(Api& api, const JobOptions& options);
Status retry(Api& api, const JobOptions& options);

// Cancel, approve and reject: the operation of the jobs API with that name.
Status decide(Api& api, const JobOptions& options, const std::string& verb);

// {"why":"…"}, or {} where no reason was given.
std::string why_body(const JobOptions& options);

// Prints a record that an operation has answered with: its path and its state, or the answer itself.
Status print_outcome(Api& api, const JobOptions& options, const std::string& record);

// waybill job. Returns the exit code: 1 where the server refused or did not answer.
int run_job(const JobOptions& options);

}  // namespace waybill::cli::job
