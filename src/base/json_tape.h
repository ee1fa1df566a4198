#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

// The form in which the parser behind json.h leaves a document, read in place: asking its own objects would
// cost a call for every look. json.cc and tests/unit/base/json_tape_test.cc hold the two against each other.
//
//   word   := kind (the top 8 bits) payload (56 bits)
//   value  := 'n' | 't' | 'f'
//           | '"'                  payload: where in the strings its length (u32) and its bytes stand
//           | 'l' | 'u' | 'd'      a second word follows: an int64, a uint64, a double
//           | '[' value* ']'       payload: the index behind the ']' (32 bits), the count of values (24 bits)
//           | '{' ('"' value)* '}' the same, the count being that of members
namespace waybill::json::tape {

using Word = uint64_t;

// Where a document's words and strings begin.
struct Document {
  const Word* words = nullptr;
  const char* strings = nullptr;
};

inline constexpr int kind_shift = 56;
inline constexpr int count_shift = 32;
inline constexpr Word payload_mask = (Word{1} << kind_shift) - 1;
inline constexpr Word count_mask = 0xFFFFFF;  // a larger count is kept as this one

inline constexpr char null_kind = 'n';
inline constexpr char true_kind = 't';
inline constexpr char false_kind = 'f';
inline constexpr char string_kind = '"';
inline constexpr char int64_kind = 'l';
inline constexpr char uint64_kind = 'u';
inline constexpr char double_kind = 'd';
inline constexpr char array_kind = '[';
inline constexpr char object_kind = '{';

inline char kind_of(Word word) {
  return static_cast<char>(word >> kind_shift);
}

inline std::string_view string_of(const Document& document, Word word) {
  const char* at = document.strings + (word & payload_mask);
  uint32_t length = 0;
  std::memcpy(&length, at, sizeof(length));
  return {at + sizeof(length), length};
}

inline std::size_t count_of(Word word) {
  return static_cast<std::size_t>(word >> count_shift & count_mask);
}

// Behind an array or object.
inline const Word* end_of(const Document& document, Word word) {
  return document.words + static_cast<uint32_t>(word);
}

// Behind a value of any kind.
inline const Word* behind(const Document& document, const Word* at) {
  switch (kind_of(*at)) {
    case array_kind:
    case object_kind:
      return end_of(document, *at);
    case int64_kind:
    case uint64_kind:
    case double_kind:
      return at + 2;
    default:
      return at + 1;
  }
}

}  // namespace waybill::json::tape
