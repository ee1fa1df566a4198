#include "text/word_splitter.h"

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
    const char* next = at;
    const Kind kind = kinds_->next(next);
    const char* complex_from = before;
    if (is_of_words(kind)) {
      const Word word = read_word(at, end);
      if (!word.is_for_icu) {
        if (word.has_letter) {
          words.push_back(
              {static_cast<uint32_t>(at - begin), static_cast<uint32_t>(word.end - at), word.is_ascii});
        }
        before = at = word.end;
        continue;
      }
      complex_from = at;
      next = word.end;
    } else if (kind != Kind::extend && !is_for_icu(kind)) {
      before = at;
      at = next;
      continue;
    }
    const char* const complex_end = end_of_complex(next, end);
    WAYBILL_TRY(
        icu_.split({complex_from, complex_end}, static_cast<std::size_t>(complex_from - begin), words));
    before = at = complex_end;
  }
  return {};
}

const char* WordSplitter::skip_ascii_word(const char* at, const char* end, Word& word, Kind& last) const {
  for (; at < end; ++at) {
    const Kind kind = kinds_->of_byte(*at);
    if (!is_of_words(kind)) {
      break;
    }
    word.has_letter = word.has_letter || kind != Kind::connector;
    last = kind;
  }
  return at;
}

// Reads the word that begins at `at`. Where ICU is needed for it, the word's end is behind the character that
// needs it.
WordSplitter::Word WordSplitter::read_word(const char* at, const char* end) const {
  Word word;
  Kind last = Kind::connector;  // the last that is not a mark
  while (true) {
    at = skip_ascii_word(at, end, word, last);
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
