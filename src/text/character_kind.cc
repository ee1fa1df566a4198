#include "text/character_kind.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>

namespace waybill::text {

namespace {

// Characters between which ICU sets boundaries by dictionaries, or by rules of its own beside UAX #29.
bool is_beyond_rules(UChar32 c) {
  if (u_getIntPropertyValue(c, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT ||
      u_hasBinaryProperty(c, UCHAR_IDEOGRAPHIC) != 0) {
    return true;
  }
  const int32_t script = u_getIntPropertyValue(c, UCHAR_SCRIPT);
  const bool is_hangul_syllable = c >= 0xac00 && c <= 0xd7a3;
  return script == USCRIPT_HAN || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA ||
         is_hangul_syllable;
}

// ICU leaves the colon out of the letters' middle, as CLDR does: "note:this" is two words.
bool is_colon(UChar32 c) {
  return c == 0x3a || c == 0xfe55 || c == 0xff1a;
}

Kind find_kind(UChar32 c) {
  if (is_beyond_rules(c)) {
    return Kind::complex;
  }
  switch (u_getIntPropertyValue(c, UCHAR_WORD_BREAK)) {
    case U_WB_ALETTER:
      return Kind::letter;
    case U_WB_NUMERIC:
      return Kind::digit;
    case U_WB_EXTENDNUMLET:
      return Kind::connector;
    case U_WB_EXTEND:
    case U_WB_FORMAT:
      return Kind::extend;
    case U_WB_MIDLETTER:
      return is_colon(c) ? Kind::inert : Kind::mid_letter;
    case U_WB_MIDNUM:
      return Kind::mid_number;
    case U_WB_MIDNUMLET:
    case U_WB_SINGLE_QUOTE:
      return Kind::mid_either;
    case U_WB_DOUBLE_QUOTE:
      return Kind::quote;
    case U_WB_ZWJ:
      return Kind::joiner;
    case U_WB_OTHER:
    case U_WB_WSEGSPACE:
    case U_WB_CR:
    case U_WB_LF:
    case U_WB_NEWLINE:
      return Kind::inert;
    default:
      return Kind::complex;
  }
}

}  // namespace

const CharacterKinds& CharacterKinds::instance() {
  static const CharacterKinds kinds;
  return kinds;
}

CharacterKinds::CharacterKinds() : plane_(std::make_unique<std::array<Kind, plane_characters>>()) {
  for (std::size_t c = 0; c < plane_->size(); ++c) {
    (*plane_)[c] = find_kind(static_cast<UChar32>(c));
  }
  bytes_.fill(Kind::first_byte);
  std::copy_n(plane_->begin(), 0x80, bytes_.begin());
}

Kind CharacterKinds::rare(char32_t c) {
  return find_kind(static_cast<UChar32>(c));
}

}  // namespace waybill::text
