#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace waybill::cost {

// What a table of one class costs.
struct ClassPrices {
  double on_demand_read_million = 0;  // a million units
  double on_demand_write_million = 0;
  double provisioned_read_unit_hour = 0;
  double provisioned_write_unit_hour = 0;
  double storage_gb_month = 0;
};

struct Prices {
  std::string source;  // where they come from, for reports
  std::string region;
  std::string currency;
  std::string date;                                         // that they were in force at
  std::map<std::string, ClassPrices, std::less<>> classes;  // by the service's name of the table class

  // Of the class named; of STANDARD where the prices don't have it.
  const ClassPrices& of(std::string_view table_class) const;
};

// Reads a price file, in the form of share/prices.json. Errors name `source` and the member that is missing
// or wrong. Members that are not known are wrong as well: a name that is spelt wrongly must not pass for a
// price of its own.
Result<Prices> parse_prices(std::string_view text, std::string source);

// share/prices.json of this version.
const Prices& built_in_prices();

}  // namespace waybill::cost
