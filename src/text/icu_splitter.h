#pragma once

#include <unicode/brkiter.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "text/word_span.h"

namespace waybill::text {

// Words by ICU's break iterator, with the rules of no particular language. Any text, and slow.
//
// Thread safety: one thread at a time.
class IcuSplitter {
 public:
  // Error internal where ICU's data is missing.
  static Result<IcuSplitter> open();

  // Appends the words of `text`, which is UTF-8, with `offset` added to where they are.
  Status split(std::string_view text, std::size_t offset, WordSpans& words);

 private:
  explicit IcuSplitter(std::unique_ptr<icu::BreakIterator> iterator) : iterator_(std::move(iterator)) {}

  void take(std::string_view text);

  std::unique_ptr<icu::BreakIterator> iterator_;
  std::u16string units_;
};

}  // namespace waybill::text
