#pragma once

#include <string>

#include "contract/model.h"

namespace waybill::contract {

// The status machine of a record, drawn for a terminal: a state a line, its moves below it.
std::string machine_text(const Record& record);

// The same as an SVG file: states in columns, by how many moves they are away from the start.
std::string machine_svg(const Record& record);

}  // namespace waybill::contract
