#pragma once

#include <string>

#include "base/json.h"
#include "base/result.h"
#include "item/value.h"

// Items between AWS's JSON ({"S":"text"}) and the stored form.
namespace waybill::item {

// Appends the value that `value` (an object like {"N":"1"}) stands for. Errors carry the service's texts:
// kind malformed for a wrong JSON type, kind invalid for a wrong value.
Status append_value(std::string& out, const json::Value& value);

// An attribute map. Of members with the same name the last one counts. A wrong JSON type anywhere is told
// before a wrong value.
Result<Item> parse_item(const json::Value& object);

// {"S":"text"} and {"name":{"S":"text"},…}, straight from the stored form.
void append_json(std::string& out, ValueView value);
void append_json(std::string& out, ItemView item);

}  // namespace waybill::item
