#pragma once

#include <string>
#include <vector>

namespace waybill::cli {

struct ContractOptions {
  std::vector<std::string> files;
  bool as_json = false;
};

// waybill contract check. Returns the exit code: 0 where no file has an error, warnings or not.
int run_contract_check(const ContractOptions& options);

}  // namespace waybill::cli
