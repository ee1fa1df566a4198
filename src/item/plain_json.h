#pragma once

#include <string>

#include "item/value.h"

// Items as plain JSON, without the service's types: numbers with all their digits, sets as arrays, binary in
// Base64.
namespace waybill::item {

void append_plain_json(std::string& out, ValueView value);
void append_plain_json(std::string& out, ItemView item);
std::string to_plain_json(ItemView item);

}  // namespace waybill::item
