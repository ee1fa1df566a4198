#pragma once

#include <string>
#include <vector>

#include "contract/model.h"

namespace waybill::contract {

// A move of a status machine, and what of the work makes it.
struct NamedMove {
  std::string from;
  std::string to;
  std::string label;  // "claim", "done / approve"; empty: nothing of the work, so whoever writes the record
  bool by_hand = false;

  bool operator==(const NamedMove&) const = default;
};

// All moves of a record with a status, in the order of the file; those by hand behind them.
std::vector<NamedMove> named_moves(const Record& record);

}  // namespace waybill::contract
