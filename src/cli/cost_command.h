#pragma once

#include <cstdint>
#include <string>

namespace waybill::cli {

struct CostOptions {
  std::string data_dir = "data";
  std::string prices_file;  // empty: those that are built in
  std::string table;        // empty: all
  int64_t days = 0;         // 0: all that is kept
  bool as_json = false;
  bool by_minute = false;  // what was used, in place of what it costs
};

// waybill cost. Returns the exit code.
int run_cost(const CostOptions& options);

}  // namespace waybill::cli
