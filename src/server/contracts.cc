#include "server/contracts.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <utility>

#include "base/log.h"

namespace waybill::server {

namespace {

Result<std::map<std::string, std::string>> read_parameters(const std::vector<std::string>& given) {
  std::map<std::string, std::string> parameters;
  for (const auto& text : given) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      return invalid("--parameter " + text + ": write NAME=VALUE, as in env=prod");
    }
    parameters[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return parameters;
}

// A folder stands for the contracts in it.
Result<std::vector<std::string>> files_of(const std::string& path) {
  std::error_code failure;
  if (!std::filesystem::is_directory(path, failure)) {
    return std::vector{path};
  }
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(path, failure)) {
    if (entry.path().extension() == ".yaml" || entry.path().extension() == ".yml") {
      files.push_back(entry.path().string());
    }
  }
  std::ranges::sort(files);
  return files;
}

Status apply(rules::Contracts& contracts, const std::string& file,
             const std::map<std::string, std::string>& parameters) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    return invalid("--contracts: the file " + file + " cannot be read");
  }
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  WAYBILL_TRY_ASSIGN(const auto deployed, contracts.apply({file, text, parameters}));
  log_info("contract " + deployed->contract.name + " version " + std::to_string(deployed->contract.version) +
           " is in force, table " + deployed->table);
  return {};
}

}  // namespace

Result<std::unique_ptr<rules::Contracts>> open_contracts(store::Store& store, const Config& config,
                                                         const rules::Contracts::Options& options) {
  WAYBILL_TRY_ASSIGN(const auto parameters, read_parameters(config.parameters));
  WAYBILL_TRY_ASSIGN(auto contracts, rules::Contracts::open(store, options));
  for (const auto& path : config.contracts) {
    WAYBILL_TRY_ASSIGN(const auto files, files_of(path));
    for (const auto& file : files) {
      WAYBILL_TRY(apply(*contracts, file, parameters));
    }
  }
  return contracts;
}

}  // namespace waybill::server
