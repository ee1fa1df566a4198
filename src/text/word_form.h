#pragma once

#include <unicode/brkiter.h>
#include <unicode/normalizer2.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace waybill::text {

// How a word is compared, and how long it is as it is written.
struct WordForm {
  std::string folded;
  uint32_t length = 0;  // in user-perceived characters
};

// Makes the forms of words: two spellings are one word where their folded forms are the same bytes.
//
// Folding is Unicode's default, for all languages alike: full case folding, canonically composed. What cannot
// be seen is no part of a word: soft hyphens, marks of direction, word joiners anywhere in it, and the narrow
// space that French sets before punctuation at its ends. (The joiner and non-joiner of Persian and Indic
// scripts can be seen.)
//
// Thread safety: one thread at a time.
class WordForms {
 public:
  // Error internal where ICU's data is missing.
  static Result<WordForms> open();

  // `spelling` is UTF-8.
  Result<WordForm> make(std::string_view spelling);

 private:
  WordForms(std::unique_ptr<icu::BreakIterator> characters, const icu::Normalizer2* decomposed,
            const icu::Normalizer2* composed)
      : characters_(std::move(characters)), decomposed_(decomposed), composed_(composed) {}

  uint32_t length(const icu::UnicodeString& word);

  std::unique_ptr<icu::BreakIterator> characters_;
  const icu::Normalizer2* decomposed_;  // ICU's own
  const icu::Normalizer2* composed_;
};

}  // namespace waybill::text
