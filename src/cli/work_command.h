#pragma once

#include <cstdint>
#include <string>

#include "worker/crew.h"

namespace waybill::cli {

// Of `waybill work`.
struct WorkOptions {
  std::string endpoint;          // "": WAYBILL_SERVER, else http://127.0.0.1:8000
  std::string objects_endpoint;  // "": the same
  std::string only;              // "photo,text"; "": all
  std::size_t slots = 0;         // 0: one for each processor
  int64_t lease_s = 30;
  int nice = worker::Crew::nice_default;
  std::string folder;     // for files of jobs under way; "": TMPDIR, else /tmp
  std::string workflows;  // folder with those that the worker `steps` runs; "": it does not run
};

// waybill work: built-in workers in a process of their own, until SIGTERM or SIGINT.
int run_work(const WorkOptions& options);

}  // namespace waybill::cli
