#include <fstream>
#include <iostream>
#include <iterator>

#include "cli/job/commands.h"
#include "cli/job/description.h"
#include "cli/job/field_values.h"

namespace waybill::cli::job {
namespace {

constexpr int status_repeated = 200;

Result<std::string> read_json(const std::string& path) {
  if (path.empty()) {
    return std::string();
  }
  std::ifstream file;
  if (path != "-") {
    file.open(path, std::ios::binary);
  }
  std::istream& source = path == "-" ? std::cin : file;
  if (!source) {
    return invalid("the file " + path + " cannot be read");
  }
  std::string text{std::istreambuf_iterator<char>(source), std::istreambuf_iterator<char>()};
  return text.empty() ? Result<std::string>(invalid(path + " is empty: it must have a JSON object")) : text;
}

}  // namespace

Status create(Api& api, const JobOptions& options) {
  WAYBILL_TRY_ASSIGN(const auto json, read_json(options.json_file));
  WAYBILL_TRY_ASSIGN(const auto description, describe(api, options.target));
  WAYBILL_TRY_ASSIGN(const auto body, record_body(description.record(), json, options.fields));
  std::vector<std::string> headers;
  if (!options.key.empty()) {
    headers.push_back("Idempotency-Key: " + options.key);
  }
  WAYBILL_TRY_ASSIGN(const auto answer, api.post(path_of(options.target), body, headers));
  if (answer.status == status_repeated) {
    std::cerr << "it was there already: the key was used before\n";
  }
  return print_outcome(api, options, answer.body);
}

}  // namespace waybill::cli::job
