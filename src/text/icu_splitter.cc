#include "text/icu_splitter.h"

#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include "text/character_kind.h"
#include "text/icu_problem.h"
#include "text/utf8_walk.h"

namespace waybill::text {

namespace {

struct Segment {
  std::size_t bytes = 0;
  bool has_letter = false;    // or digit
  bool is_connectors = true;  // and marks on them, alone
  bool is_ascii = true;
};

// By what a character of ICU's is to UAX #29: some that dictionaries cut are marks.
Kind plain_kind(char32_t c) {
  const Kind kind = CharacterKinds::instance().of(c);
  if (kind != Kind::complex) {
    return kind;
  }
  switch (u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_WORD_BREAK)) {
    case U_WB_ALETTER:
    case U_WB_HEBREW_LETTER:
    case U_WB_KATAKANA:
      return Kind::letter;
    case U_WB_EXTEND:
    case U_WB_FORMAT:
      return Kind::extend;
    default:
      return Kind::complex;
  }
}

// ICU's status knows ideographs, and what dictionaries cut. But it is lost where a mark follows a Hangul
// syllable or an underscore.
bool is_word(const Segment& segment, int32_t status) {
  return segment.has_letter || (status >= UBRK_WORD_NONE_LIMIT && !segment.is_connectors);
}

// Reads `units` UTF-16 code units of the text at `at`, which is moved behind them.
Segment read_segment(const char*& at, int32_t units) {
  const char* const begin = at;
  Segment segment;
  while (units > 0) {
    const char32_t c = next_code_point(at);
    const Kind kind = plain_kind(c);
    units -= c < 0x10000 ? 1 : 2;
    segment.is_ascii = segment.is_ascii && c < 0x80;
    segment.has_letter = segment.has_letter || kind == Kind::letter || kind == Kind::digit;
    segment.is_connectors =
        segment.is_connectors && (kind == Kind::connector || kind == Kind::extend || kind == Kind::joiner);
  }
  segment.bytes = static_cast<std::size_t>(at - begin);
  return segment;
}

}  // namespace

Result<IcuSplitter> IcuSplitter::open() {
  UErrorCode code = U_ZERO_ERROR;
  std::unique_ptr<icu::BreakIterator> iterator(
      icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), code));
  if (U_FAILURE(code) || iterator == nullptr) {
    return icu_problem("open its word boundaries", code);
  }
  return IcuSplitter(std::move(iterator));
}

// ICU 72 takes @ for a letter, which neither UAX #29 nor any other version of ICU does. So it gets to see
// another symbol in its place.
void IcuSplitter::take(std::string_view text) {
  units_.clear();
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    const char32_t c = next_code_point(at);
    if (c == U'@') {
      units_.push_back(u'#');
    } else if (c < 0x10000) {
      units_.push_back(static_cast<char16_t>(c));
    } else {
      units_.push_back(static_cast<char16_t>(0xd7c0 + (c >> 10)));
      units_.push_back(static_cast<char16_t>(0xdc00 | (c & 0x3ff)));
    }
  }
}

Status IcuSplitter::split(std::string_view text, std::size_t offset, WordSpans& words) {
  take(text);
  const icu::UnicodeString view(false, units_.data(), static_cast<int32_t>(units_.size()));
  iterator_->setText(view);
  const char* at = text.data();
  int32_t begin = iterator_->first();
  for (int32_t end = iterator_->next(); end != icu::BreakIterator::DONE; end = iterator_->next()) {
    const auto from = offset + static_cast<std::size_t>(at - text.data());
    const Segment segment = read_segment(at, end - begin);
    if (is_word(segment, iterator_->getRuleStatus())) {
      words.push_back({static_cast<uint32_t>(from), static_cast<uint32_t>(segment.bytes), segment.is_ascii});
    }
    begin = end;
  }
  if (begin != static_cast<int32_t>(units_.size())) {
    return icu_problem("find the words of a text", U_INTERNAL_PROGRAM_ERROR);
  }
  return {};
}

}  // namespace waybill::text
