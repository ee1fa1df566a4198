#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "text/encoding.h"

// In which encoding a text is, from what is at hand of it. No I/O.
namespace waybill::text {

// How much of a text is looked at: its beginning, and from the first byte on that is not ASCII.
inline constexpr std::size_t sample_bytes_max = 65'536;

struct ByteOrderMark {
  Encoding encoding;
  std::size_t bytes = 0;

  bool operator==(const ByteOrderMark&) const = default;
};

// What a text begins with, as far as that tells its encoding.
std::optional<ByteOrderMark> find_byte_order_mark(std::string_view beginning);

// UTF-16 without a mark, where that is clear: there are zero bytes, everything is a character that is
// assigned and no control in one order of the bytes, and either not so in the other, or far less of it is
// Latin there.
std::optional<Encoding> find_utf16(std::string_view beginning);

// The encoding of ASCII with escapes, ISO-2022-JP and its like, where it is one.
std::optional<Encoding> find_escaped(std::string_view beginning);

// The encoding of a sample that begins with a byte that is not ASCII, at `offset` of the text. UTF-8 where
// the sample is, or where it has been for long enough that what follows must be a fault in it. Else what
// uchardet takes it for. Error invalid where that cannot be told. `is_whole`: the text ends with the sample.
Result<Encoding> choose_encoding(std::string_view sample, uint64_t offset, bool is_whole);

}  // namespace waybill::text
