#pragma once

#include <string_view>

namespace waybill::cost {

// share/prices.json, compiled in: CMakeLists.txt makes built_in_prices.cc from it.
extern const std::string_view built_in_prices_text;

}  // namespace waybill::cost
