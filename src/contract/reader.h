#pragma once

#include <optional>
#include <string>

#include "contract/model.h"
#include "contract/problem.h"

namespace waybill::contract {

// Reads a contract's file. What is wrong with its form is added to `problems`, all of it at once; then there
// may still be a contract, of what could be read. Whether it makes sense is for check.h to say.
std::optional<Contract> read_contract(const std::string& text, Problems& problems);

}  // namespace waybill::contract
