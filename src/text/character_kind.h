#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "text/utf8_walk.h"

namespace waybill::text {

// What a character does to the boundaries of words: the classes of UAX #29, as far as they can be told apart
// without ICU's break iterator. Everything else is `complex` and goes to ICU.
enum class Kind : unsigned char {
  letter,      // ALetter
  digit,       // Numeric
  connector,   // ExtendNumLet: the underscore and its like; joins words, and is none alone
  extend,      // Extend and Format: belongs to the character before it
  mid_letter,  // between two letters it belongs to the word
  mid_number,  // between two digits
  mid_either,  // between two letters, or two digits
  quote,       // ", which joins Hebrew letters
  inert,       // spaces, punctuation, symbols: always a word boundary before and behind it
  joiner,      // ZWJ
  complex,     // Hebrew, kana, ideographs, Hangul, the scripts that dictionaries cut, flags
  first_byte,  // not a character: the first byte of one that has several
};

inline bool is_of_words(Kind kind) {
  return kind <= Kind::connector;
}
inline bool is_mid(Kind kind) {
  return kind >= Kind::mid_letter && kind <= Kind::mid_either;
}
// Whether only ICU knows what becomes of a character that has this one beside it.
inline bool is_for_icu(Kind kind) {
  return kind >= Kind::joiner;
}

// Whether a word goes on over `mid`, which stands between two characters of these kinds.
inline bool joins(Kind before, Kind mid, Kind after) {
  if (before != after) {
    return false;
  }
  return before == Kind::letter  ? mid == Kind::mid_letter || mid == Kind::mid_either
         : before == Kind::digit ? mid == Kind::mid_number || mid == Kind::mid_either
                                 : false;
}

// The kinds of all characters, from ICU's properties.
//
// Thread safety: const, and shared by all.
class CharacterKinds {
 public:
  static const CharacterKinds& instance();

  Kind of(char32_t c) const { return c < plane_characters ? (*plane_)[c] : rare(c); }

  // By the first byte of a character in UTF-8: its kind, or first_byte where there is more to read.
  Kind of_byte(char byte) const { return bytes_[static_cast<unsigned char>(byte)]; }

  // The kind of the character at `at`, which is moved behind it.
  Kind next(const char*& at) const {
    const Kind kind = of_byte(*at);
    if (kind != Kind::first_byte) [[likely]] {
      ++at;
      return kind;
    }
    return of(next_code_point(at));
  }

 private:
  static constexpr std::size_t plane_characters = 0x10000;

  CharacterKinds();
  static Kind rare(char32_t c);

  std::unique_ptr<std::array<Kind, plane_characters>> plane_;
  std::array<Kind, 256> bytes_;
};

}  // namespace waybill::text
