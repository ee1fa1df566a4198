#pragma once

#include <string>
#include <vector>

#include "contract/model.h"

namespace waybill::contract {

// What changes from one version of a contract to the next, and what that means for records that are there.
struct Difference {
  enum class Kind : unsigned char {
    safe,       // old records and old writers go on as they are
    migration,  // records or readers have to be brought along first
    refused,    // no way leads there: make something new beside it
  };

  Kind kind = Kind::safe;
  std::string what;
  std::string why;

  bool operator==(const Difference&) const = default;
};

// In the order of the newer file, what is gone behind it; nothing where they say the same.
std::vector<Difference> compare(const Contract& before, const Contract& after);

}  // namespace waybill::contract
