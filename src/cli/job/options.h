#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/job/target.h"

namespace waybill::cli::job {

enum class JobCommand : unsigned char { create, list, counts, show, watch, retry, cancel, approve, reject };

// What `waybill job …` was told.
struct JobOptions {
  JobCommand command = JobCommand::list;
  std::string server;  // "": of the environment
  std::string actor;   // "": of the environment
  bool as_json = false;
  Target target;

  std::vector<std::string> fields;  // of create and list: "FIELD=VALUE"
  std::string json_file;            // of create; "-": the standard input
  std::string key;                  // of create: Idempotency-Key

  std::vector<std::string> tags;  // of list, as those that follow
  std::string match;
  std::string order;
  std::string index;
  std::vector<std::string> columns;
  int64_t limit = 100;
  bool all = false;    // of list and retry
  std::string tenant;  // of counts

  std::string why;
  int64_t max = 100;  // of retry --all
};

}  // namespace waybill::cli::job
