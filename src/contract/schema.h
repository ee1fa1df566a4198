#pragma once

#include <string_view>

namespace waybill::contract {

// share/contract.schema.json, compiled in: CMakeLists.txt makes contract_schema.cc from it.
extern const std::string_view schema_text;

}  // namespace waybill::contract
