#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace waybill::depot {

// Where in S3 contents lie.
struct Location {
  std::string bucket;
  std::string prefix;  // of their keys: "", or with a slash at its end

  bool operator==(const Location&) const = default;
};

// "s3://bucket", "s3://bucket/some/prefix". Error invalid for anything else, and for prefixes with characters
// that some servers or tools change on the way: it says what is taken.
Result<Location> read_location(std::string_view text);

// As it is read, without a slash at its end.
std::string text_of(const Location& location);

}  // namespace waybill::depot
