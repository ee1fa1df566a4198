#pragma once

#include <string>
#include <vector>

namespace waybill::cli {

struct ContractOptions {
  std::vector<std::string> files;
  bool as_json = false;
  std::string record;    // of show; empty: all
  std::string svg_file;  // of show; empty: text on the terminal
};

// waybill contract check. Returns the exit code: 0 where no file has an error, warnings or not.
int run_contract_check(const ContractOptions& options);

// waybill contract show.
int run_contract_show(const ContractOptions& options);

// waybill contract diff. 0 where every change is safe.
int run_contract_diff(const ContractOptions& options);

// waybill contract schema.
int run_contract_schema();

}  // namespace waybill::cli
