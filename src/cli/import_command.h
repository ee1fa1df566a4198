#pragma once

#include <cstdint>
#include <string>

namespace waybill::cli {

// What `waybill import postgres` was told.
struct PostgresImportOptions {
  std::string mapping_file;
  std::string connection;     // to PostgreSQL; "": of the environment
  std::string server;         // "": of the environment
  std::string progress_file;  // "": beside, named after the mapping

  bool dry_run = false;
  bool prepare = false;
  bool follow = false;
  bool check = false;
  bool finish = false;

  bool drain = false;        // of follow: end once no change is left
  bool restart = false;      // of the import
  bool skip_check = false;   // ditto
  bool force = false;        // of finish
  uint64_t dry_rows = 10;    // of dry_run
  uint64_t rate = 0;         // rows a second; 0: no limit
  unsigned in_flight = 4;    // batches
  int64_t patience_s = 300;  // with a server or a database that is away
};

// Prints what it does and returns the process's exit code: 0 where all was done and, where it was checked,
// both sides are equal.
int run_postgres_import(const PostgresImportOptions& options);

}  // namespace waybill::cli
