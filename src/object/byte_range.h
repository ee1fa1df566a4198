#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace waybill::object {

// Bytes [first, first + length) of a content.
struct ByteRange {
  uint64_t first = 0;
  uint64_t length = 0;

  bool operator==(const ByteRange&) const = default;
};

enum class RangeKind : unsigned char {
  whole,          // no range that counts was asked for: 200 with everything
  part,           // 206 with `range`
  unsatisfiable,  // 416: nothing of the content is in the range
};

struct RangeDecision {
  RangeKind kind = RangeKind::whole;
  ByteRange range;  // of a part: it lies inside the content and is not empty; of the whole: all of it

  bool operator==(const RangeDecision&) const = default;
};

// What the value of a Range header asks of a content of `content_bytes`:
//
//   "bytes=" first "-" [last] | "bytes=-" suffix_length
//
// As S3 does, whatever is not this form is passed over, and so are several ranges in one header.
RangeDecision decide_range(std::string_view header, uint64_t content_bytes);

// The value of x-amz-copy-source-range, which S3 reads strictly: both ends are given and lie inside the
// content. Error invalid otherwise.
Result<ByteRange> read_copy_range(std::string_view header, uint64_t content_bytes);

}  // namespace waybill::object
