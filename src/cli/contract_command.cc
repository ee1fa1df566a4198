#include "cli/contract_command.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>

#include "base/json.h"
#include "contract/check.h"
#include "contract/reader.h"

namespace waybill::cli {

namespace {

constexpr int found_errors = 1;

struct Checked {
  std::string file;
  contract::Problems problems;
  std::string summary;  // of a contract without errors

  std::size_t count(contract::Problem::Weight weight) const {
    return static_cast<std::size_t>(std::ranges::count(problems, weight, &contract::Problem::weight));
  }
};

std::optional<std::string> content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return {};
  }
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

std::string counted(std::size_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

Checked check_file(const std::string& path) {
  Checked checked{path, {}, {}};
  const auto text = content_of(path);
  if (!text) {
    checked.problems.push_back({contract::Problem::Weight::error,
                                {},
                                "the file cannot be read",
                                "check its name and whether you may read it"});
    return checked;
  }
  const auto made = contract::read_contract(*text, checked.problems);
  if (!made || !checked.problems.empty()) {
    return checked;
  }
  checked.problems = contract::check(*made);
  checked.summary = made->name + " version " + std::to_string(made->version) + ", " +
                    counted(made->records.size(), "kind") + " of records";
  return checked;
}

void print_json(const std::vector<Checked>& all) {
  std::string text;
  json::Writer out(text);
  out.begin_array();
  for (const auto& checked : all) {
    for (const auto& problem : checked.problems) {
      const bool is_error = problem.weight == contract::Problem::Weight::error;
      out.begin_object().key("file").string(checked.file).key("line").integer(problem.place.line);
      out.key("column").integer(problem.place.column).key("weight").string(is_error ? "error" : "warning");
      out.key("what").string(problem.what).key("remedy").string(problem.remedy).end_object();
    }
  }
  out.end_array();
  std::cout << text << "\n";
}

void print(const Checked& checked) {
  for (const auto& problem : checked.problems) {
    std::cout << contract::describe(problem, checked.file) << "\n";
  }
  const std::size_t errors = checked.count(contract::Problem::Weight::error);
  const std::size_t warnings = checked.count(contract::Problem::Weight::warning);
  if (errors > 0) {
    std::cout << checked.file << ": " << counted(errors, "error") << "\n";
    return;
  }
  std::cout << checked.file << ": " << checked.summary
            << (warnings > 0 ? ", " + counted(warnings, "warning") : std::string()) << "\n";
}

}  // namespace

int run_contract_check(const ContractOptions& options) {
  std::vector<Checked> all;
  all.reserve(options.files.size());
  for (const auto& file : options.files) {
    all.push_back(check_file(file));
  }
  if (options.as_json) {
    print_json(all);
  } else {
    std::ranges::for_each(all, print);
  }
  const bool has_errors = std::ranges::any_of(
      all, [](const Checked& checked) { return checked.count(contract::Problem::Weight::error) > 0; });
  return has_errors ? found_errors : 0;
}

}  // namespace waybill::cli
