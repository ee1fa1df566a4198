#include "text/word_splitter.h"

#include <algorithm>

namespace waybill::text {

namespace {

// After so many bytes that need no ICU, a part that does is over.
constexpr std::ptrdiff_t calm_bytes = 32;

}  // namespace

Result<WordSplitter> WordSplitter::open() {
  WAYBILL_TRY_ASSIGN(auto icu, IcuSplitter::open());
  return WordSplitter(std::move(icu));
}

Status WordSplitter::split(std::string_view text, WordSpans& words) {
  words.clear();
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  // A character outside of words that stands right before `at`; else `at` itself. ICU gets to see it, as a
  // mark may lean on it.
  const char* before = begin;
  for (const char* at = begin; at < end;) {
    const Kind first = kinds_->of_byte(*at);
    if (first == Kind::inert) {
      before = at++;
      continue;
    }
    Word word = is_of_words(first) ? read_plain_word(at, end) : Word{};
    if (word.end == nullptr) {
      word = read_any(at, end);
    }
    if (word.is_for_icu) {
      const char* const from = word.is_begun ? at : before;
      word.end = end_of_complex(word.end, end);
      WAYBILL_TRY(icu_.split({from, word.end}, static_cast<std::size_t>(from - begin), words));
    } else if (word.has_letter) {
      words.push_back(
          {static_cast<uint32_t>(at - begin), static_cast<uint32_t>(word.end - at), word.is_ascii});
    }
    before = word.is_begun || word.is_for_icu ? word.end : at;
    at = word.end;
  }
  return {};
}

// A word of ASCII that something inert follows, or nothing: most words of most texts. Else one without an
// end.
WordSplitter::Word WordSplitter::read_plain_word(const char* at, const char* end) const {
  Word word;
  const bool is_connector = kinds_->of_byte(*at) == Kind::connector;
  while (at < end && is_of_words(kinds_->of_byte(*at))) {
    ++at;
  }
  if (!is_connector && (at == end || kinds_->of_byte(*at) == Kind::inert)) {
    word.end = at;
    word.has_letter = true;
  }
  return word;
}

// A word, or one character that begins none.
WordSplitter::Word WordSplitter::read_any(const char* at, const char* end) const {
  const char* next = at;
  const Kind kind = kinds_->next(next);
  if (is_of_words(kind)) {
    return read_word(at, end);
  }
  Word none;
  none.end = next;
  none.is_begun = false;
  none.is_for_icu = kind == Kind::extend || is_for_icu(kind);
  return none;
}

// Goes over characters of words, as far as they are ASCII. This loop sees most bytes of most texts.
const char* WordSplitter::skip_ascii(const char* at, const char* end, Word& word, Kind& last) const {
  const char* const begin = at;
  while (at < end && is_of_words(kinds_->of_byte(*at))) {
    ++at;
  }
  if (at > begin) {
    last = kinds_->of_byte(at[-1]);
    word.has_letter = word.has_letter ||
                      std::any_of(begin, at, [&](char c) { return kinds_->of_byte(c) != Kind::connector; });
  }
  return at;
}

// Reads the word that begins at `at`. Where ICU is needed for it, the word's end is behind the character that
// needs it.
WordSplitter::Word WordSplitter::read_word(const char* at, const char* end) const {
  Word word;
  Kind last = Kind::connector;  // the last that is not a mark
  while (true) {
    at = skip_ascii(at, end, word, last);
    word.end = at;
    if (at == end) {
      return word;
    }
    const Kind kind = kinds_->next(at);
    if (is_mid(kind)) {
      const char* behind = at;
      const Kind following = at < end ? kinds_->next(behind) : Kind::inert;
      word.is_for_icu = following == Kind::extend || is_for_icu(following);
      if (!word.is_for_icu && !joins(last, kind, following)) {
        return word;
      }
      word.is_ascii = word.is_ascii && at - word.end == 1;
    } else if (is_of_words(kind) || kind == Kind::extend) {
      word.is_ascii = false;
      word.has_letter = word.has_letter || kind == Kind::letter || kind == Kind::digit;
      last = kind == Kind::extend ? last : kind;
    } else if (is_for_icu(kind)) {
      word.is_for_icu = true;
    } else {
      return word;
    }
    if (word.is_for_icu) {
      word.end = at;
      return word;
    }
  }
}

// The end of a part for ICU: a safe place that nothing complex follows for a while.
const char* WordSplitter::end_of_complex(const char* at, const char* end) const {
  const char* place = nullptr;
  Kind previous = Kind::complex;
  while (at < end) {
    const char* const here = at;
    const Kind kind = kinds_->next(at);
    if (is_for_icu(kind)) {
      place = nullptr;
    } else if (place == nullptr && previous == Kind::inert && kind != Kind::extend) {
      place = here;
    }
    if (place != nullptr && here - place >= calm_bytes) {
      return place;
    }
    previous = kind;
  }
  return end;
}

}  // namespace waybill::text
