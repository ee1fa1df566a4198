#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "item/value.h"

namespace waybill::job {

// Where something stands in a record: names from the outside in, {"error", "code"}.
using Path = std::vector<std::string>;

// "error.code" as contracts write it.
Path path_of_text(std::string_view text);

// A merge patch (RFC 7396): `set` has what is to be, maps to be merged into maps; `removed` says what is to
// go.
struct Patch {
  item::Item set;
  std::vector<Path> removed;

  bool empty() const { return set.encoded.empty() && removed.empty(); }
};

}  // namespace waybill::job
