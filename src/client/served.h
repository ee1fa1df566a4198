#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace waybill::client {

// A kind of record whose contract says which built-in worker works on it.
struct Served {
  std::string contract;
  std::string record;
  std::string worker;                                        // "text"
  std::map<std::string, std::string, std::less<>> settings;  // may have fields in them: "uploads/{userId}"
  std::vector<std::string> trace;  // fields by which a record is followed through logs
  bool retries = false;            // its contract lets a failed record be tried again

  bool operator==(const Served&) const = default;
};

// Reads the answer of GET /v1/contracts. Error malformed where it is none.
Result<std::vector<Served>> read_served(std::string_view body);

}  // namespace waybill::client
