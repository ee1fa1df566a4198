#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace waybill::api::jobs {

// A parsed JSON text whose numbers have kept all of their digits. The parser itself knows numbers of 64 bits;
// where a text has longer ones, it is parsed with each number's place in a list put in place of the number.
//
// Thread safety: none. Reuse it: its memory is kept. The views live until the next parse.
class Document {
 public:
  // `text` has json::padding_bytes readable bytes behind it, and outlives the document. Error malformed.
  Result<json::Value> parse(std::string_view text);

  // Of a number of this document, as it was written.
  void append_number(std::string& out, const json::Value& number) const;

  // The same where it is a whole number that fits.
  std::optional<int64_t> integer(const json::Value& number) const;

 private:
  json::Parser parser_;
  std::vector<std::string_view> numbers_;  // by place; empty: the parser knows them all
  std::string replaced_;                   // the text that was parsed in that case
};

// Whether a number with this many digits may have lost some in the parser, or anything with an exponent.
bool has_long_numbers(std::string_view text);

}  // namespace waybill::api::jobs
