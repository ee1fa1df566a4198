#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace waybill::contract {

// Where something stands in a contract's file, both counted from 1; 0: not in the file.
struct Place {
  int line = 0;
  int column = 0;

  bool operator==(const Place&) const = default;
};

// What is wrong with a contract, or may become a trap, and what to do about it.
struct Problem {
  enum class Weight : unsigned char { error, warning };

  Weight weight = Weight::error;
  Place place;
  std::string what;
  std::string remedy;

  bool operator==(const Problem&) const = default;
};

using Problems = std::vector<Problem>;

void sort_by_place(Problems& problems);

// The parts one behind the other.
std::string joined(std::initializer_list<std::string_view> parts);

// "orchestrator.yaml:12:7: error: ...", with the remedy in a line of its own.
std::string describe(const Problem& problem, const std::string& file);

}  // namespace waybill::contract
