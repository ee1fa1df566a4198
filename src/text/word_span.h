#pragma once

#include <cstdint>
#include <vector>

namespace waybill::text {

// A word in a text that is at hand.
struct WordSpan {
  uint32_t offset;
  uint32_t length : 31;
  uint32_t is_ascii : 1;

  bool operator==(const WordSpan&) const = default;
};

using WordSpans = std::vector<WordSpan>;

}  // namespace waybill::text
