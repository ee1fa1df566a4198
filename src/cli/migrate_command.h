#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace waybill::cli {

struct MigrateOptions {
  std::string data_dir = "data";
  std::string action;  // "start", "status", "backfill" …
  std::string table;   // of status: empty for all
  std::string rename;  // of start: "OLD=NEW"
  std::string add;     // of start: "FIELD=VALUE"
  std::string having;
  std::string remove;             // of start: a field
  std::vector<std::string> key;   // of start: the new table, then "PK=…", "SK=…"
  std::vector<std::string> back;  // of start
  std::optional<int64_t> rate;    // records a second
  std::string contract_file;
  std::vector<std::string> parameters;  // "env=prod"
  bool as_json = false;
};

// waybill migrate: changes records of a running server's table. 1 where something stands against it, or where
// records do not agree.
int run_migrate(const MigrateOptions& options);

}  // namespace waybill::cli
