#pragma once

#include <cstdint>
#include <string>

namespace waybill::cli {

struct BackupOptions {
  std::string data_dir = "data";
  std::string folder;
  uint32_t number = 0;  // of restore; 0: the newest
  uint32_t keep = 0;    // of backup: how many are left; 0: all
  bool list = false;
  std::string encryption_key_file;  // of restore, and to list; empty: keys in the environment, if any
};

// Each prints what it does and returns the process's exit code.
int run_backup(const BackupOptions& options);
int run_restore(const BackupOptions& options);

}  // namespace waybill::cli
