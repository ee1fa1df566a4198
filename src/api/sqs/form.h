#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace waybill::api::sqs {

// A request of the query protocol.
struct Form {
  std::string action;
  std::string json;  // its parameters as the same request has them in JSON
};

// Reads "Action=CreateQueue&Attribute.1.Name=…": parameters of the URL first, then of the body. Operations
// see nothing of the query protocol: lists that were numbered are lists, and pairs of names and values are
// maps. Error malformed where there are too many parameters.
Result<Form> read_form(std::string_view url_query, std::string_view body);

}  // namespace waybill::api::sqs
