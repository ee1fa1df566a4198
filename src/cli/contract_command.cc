#include "cli/contract_command.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>

#include "base/json.h"
#include "contract/check.h"
#include "contract/compare.h"
#include "contract/picture.h"
#include "contract/reader.h"
#include "contract/schema.h"

namespace waybill::cli {

namespace {

constexpr int found_errors = 1;

struct Checked {
  std::string file;
  std::optional<contract::Contract> contract;
  contract::Problems problems;

  std::size_t count(contract::Problem::Weight weight) const {
    return static_cast<std::size_t>(std::ranges::count(problems, weight, &contract::Problem::weight));
  }
  bool has_errors() const { return count(contract::Problem::Weight::error) > 0; }
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
  checked.contract = contract::read_contract(*text, checked.problems);
  if (checked.contract && checked.problems.empty()) {
    checked.problems = contract::check(*checked.contract);
  }
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
  if (checked.has_errors()) {
    std::cout << checked.file << ": " << counted(checked.count(contract::Problem::Weight::error), "error")
              << "\n";
    return;
  }
  const contract::Contract& made = *checked.contract;
  const std::size_t warnings = checked.count(contract::Problem::Weight::warning);
  std::cout << checked.file << ": " << made.name << " version " << made.version << ", "
            << counted(made.records.size(), "kind") << " of records"
            << (warnings > 0 ? ", " + counted(warnings, "warning") : std::string()) << "\n";
}

// The contract of a file that has no errors; otherwise they are printed.
std::optional<contract::Contract> sound_contract(const std::string& path) {
  Checked checked = check_file(path);
  for (const auto& problem : checked.problems) {
    if (problem.weight == contract::Problem::Weight::error) {
      std::cerr << contract::describe(problem, path) << "\n";
    }
  }
  return checked.has_errors() ? std::nullopt : std::move(checked.contract);
}

std::string_view kind_text(contract::Difference::Kind kind) {
  switch (kind) {
    case contract::Difference::Kind::safe:
      return "safe       ";
    case contract::Difference::Kind::migration:
      return "migration  ";
    case contract::Difference::Kind::refused:
      break;
  }
  return "refused    ";
}

int refuse(const std::string& text) {
  std::cerr << "waybill: " << text << "\n";
  return found_errors;
}

std::vector<const contract::Record*> records_to_show(const contract::Contract& made,
                                                     const std::string& name) {
  std::vector<const contract::Record*> shown;
  for (const auto& record : made.records) {
    if (record.status && (name.empty() || record.name == name)) {
      shown.push_back(&record);
    }
  }
  return shown;
}

int write_svg(const std::vector<const contract::Record*>& records, const std::string& path) {
  if (records.size() != 1) {
    return refuse("the contract has " + counted(records.size(), "record") +
                  " with a status: say which one to draw, with --record NAME");
  }
  std::ofstream file(path, std::ios::binary);
  file << contract::machine_svg(*records.front());
  file.close();
  return file ? 0 : refuse("the file " + path + " cannot be written");
}

}  // namespace

int run_contract_show(const ContractOptions& options) {
  const auto made = sound_contract(options.files.front());
  if (!made) {
    return found_errors;
  }
  const auto records = records_to_show(*made, options.record);
  if (records.empty()) {
    return refuse(options.record.empty()
                      ? "no record of this contract has a status"
                      : "no record \"" + options.record + "\" of this contract has a status");
  }
  if (!options.svg_file.empty()) {
    return write_svg(records, options.svg_file);
  }
  for (const contract::Record* const record : records) {
    std::cout << (record == records.front() ? "" : "\n") << made->name << ": the states of " << record->name
              << "\n\n"
              << contract::machine_text(*record);
  }
  return 0;
}

int run_contract_diff(const ContractOptions& options) {
  const auto before = sound_contract(options.files[0]);
  const auto after = sound_contract(options.files[1]);
  if (!before || !after) {
    return found_errors;
  }
  const auto differences = contract::compare(*before, *after);
  if (differences.empty()) {
    std::cout << "they say the same\n";
  }
  bool safe = true;
  for (const auto& one : differences) {
    std::cout << kind_text(one.kind) << one.what << "\n           " << one.why << "\n";
    safe = safe && one.kind == contract::Difference::Kind::safe;
  }
  return safe ? 0 : found_errors;
}

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
  return std::ranges::any_of(all, &Checked::has_errors) ? found_errors : 0;
}

int run_contract_schema() {
  std::cout << contract::schema_text;
  return 0;
}

}  // namespace waybill::cli
