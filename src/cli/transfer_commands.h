#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace waybill::cli {

struct TransferOptions {
  std::string data_dir = "data";
  std::string table;
  std::string folder;
  std::string time;             // of export; empty: now
  std::string parameters_file;  // of import
};

// Each prints what it does and returns the process's exit code.
int run_export(const TransferOptions& options);
int run_import(const TransferOptions& options);

}  // namespace waybill::cli
