#include "contract/problem.h"

#include <algorithm>
#include <tuple>

namespace waybill::contract {

void sort_by_place(Problems& problems) {
  std::ranges::sort(problems, {}, [](const Problem& problem) {
    return std::tuple(problem.place.line, problem.place.column, problem.what);
  });
}

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const auto part : parts) {
    text += part;
  }
  return text;
}

std::string describe(const Problem& problem, const std::string& file) {
  std::string text = file;
  if (problem.place.line > 0) {
    text += ":" + std::to_string(problem.place.line) + ":" + std::to_string(problem.place.column);
  }
  text += problem.weight == Problem::Weight::error ? ": error: " : ": warning: ";
  text += problem.what;
  if (!problem.remedy.empty()) {
    text += "\n    " + problem.remedy;
  }
  return text;
}

}  // namespace waybill::contract
