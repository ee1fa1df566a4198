#pragma once

#include <string>
#include <vector>

#include "cost/estimate.h"
#include "cost/measured.h"
#include "cost/prices.h"

namespace waybill::cost {

// What the measured load would cost a month, for people: table by table, then together.
std::string text_report(const std::vector<MeasuredTable>& tables, const Prices& prices);

// The same for programs, unrounded: {"prices":{…},"hours_a_month":730,"tables":[…],"total":{…}}
std::string json_report(const std::vector<MeasuredTable>& tables, const Prices& prices);

}  // namespace waybill::cost
