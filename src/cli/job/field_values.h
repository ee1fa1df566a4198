#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "contract/model.h"

// FIELD=VALUE as people type it, and the JSON that is sent.
namespace waybill::cli::job {

// The name and the value; nothing where there is no "=", or no name before it.
std::optional<std::pair<std::string, std::string>> split_field(std::string_view text);

// A value as JSON. Text for a field that the contract says is text (strings, times, binary, ids, the status);
// otherwise what is JSON goes as it is, and all else as text. `record` may be null.
std::string json_value(const contract::Record* record, const std::string& field, const std::string& value);

// The body that makes a record: `json` is an object, or "" for none; `fields` ("FIELD=VALUE") go before its
// members, later ones before earlier ones. Error invalid where `json` is no object.
Result<std::string> record_body(const contract::Record* record, const std::string& json,
                                const std::vector<std::string>& fields);

}  // namespace waybill::cli::job
