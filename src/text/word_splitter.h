#pragma once

#include <string_view>

#include "base/result.h"
#include "text/character_kind.h"
#include "text/icu_splitter.h"
#include "text/word_span.h"

namespace waybill::text {

// The words of a text, by UAX #29. Most scripts are split here, by the kinds of their characters; the rest is
// handed to ICU in as few and as long parts as possible, since each call costs as much as 200 letters.
// The words are those that ICU finds in the whole.
//
// Thread safety: one thread at a time.
class WordSplitter {
 public:
  // Error internal where ICU's data is missing.
  static Result<WordSplitter> open();

  // Puts the words of `text`, which is UTF-8 and shorter than 2 GiB, into `words`, in order.
  Status split(std::string_view text, WordSpans& words);

 private:
  explicit WordSplitter(IcuSplitter icu) : kinds_(&CharacterKinds::instance()), icu_(std::move(icu)) {}

  struct Word {
    const char* end = nullptr;
    bool is_begun = true;  // with a letter, a digit or a connector
    bool is_ascii = true;
    bool has_letter = false;  // or digit, not connectors alone
    bool is_for_icu = false;
  };
  Word read_plain_word(const char* at, const char* end) const;
  Word read_any(const char* at, const char* end) const;
  Word read_word(const char* at, const char* end) const;
  const char* skip_ascii(const char* at, const char* end, Word& word, Kind& last) const;
  const char* end_of_complex(const char* at, const char* end) const;

  const CharacterKinds* kinds_;
  IcuSplitter icu_;
};

}  // namespace waybill::text
