#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "item/value.h"

// NextToken of ExecuteStatement: where a read goes on, bound to the statement that it is an answer to.
//
//   token := base64( binding range key )
//   binding := 16 bytes of a hash of the statement and its parameters
//   range   := which of the ranges that the statement reads, varint
//   key     := the key attributes to go on from, as JSON
namespace waybill::api::dynamodb {

struct NextToken {
  std::size_t range = 0;
  item::Item key;
};

// `parameters` are encoded.
std::string statement_binding(std::string_view statement, std::string_view parameters);

std::string print_token(const NextToken& token, std::string_view binding);

// Errors are of kind invalid and carry the service's texts: no token at all, one of another statement.
Result<NextToken> parse_token(std::string_view text, std::string_view binding);

}  // namespace waybill::api::dynamodb
