#pragma once

#include <gtest/gtest.h>
#include <unicode/brkiter.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/analyzer.h"
#include "text/figures.h"

namespace waybill::text {

// What the figures of a text are, as plainly as ICU can say it: over the whole text at once, and slowly.
class Reference {
 public:
  static Figures figures(std::string_view utf8) {
    Reference reference;
    for (const auto& word : words(utf8)) {
      reference.count(word);
    }
    return reference.result();
  }

  // The words as they are written.
  static std::vector<icu::UnicodeString> words(std::string_view utf8) {
    auto text = icu::UnicodeString::fromUTF8({utf8.data(), static_cast<int32_t>(utf8.size())});
    auto seen = text;
    // ICU 72 alone takes @ for a letter.
    seen.findAndReplace(icu::UnicodeString(u'@'), icu::UnicodeString(u'#'));
    UErrorCode code = U_ZERO_ERROR;
    const std::unique_ptr<icu::BreakIterator> iterator(
        icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), code));
    iterator->setText(seen);
    std::vector<icu::UnicodeString> words;
    int32_t begin = iterator->first();
    for (int32_t end = iterator->next(); end != icu::BreakIterator::DONE; end = iterator->next()) {
      const icu::UnicodeString segment(text, begin, end - begin);
      if (is_word(segment, iterator->getRuleStatus())) {
        words.push_back(segment);
      }
      begin = end;
    }
    return words;
  }

 private:
  static bool is_word(const icu::UnicodeString& segment, int32_t status) {
    bool is_more_than_connectors = false;
    for (int32_t at = 0; at < segment.length(); at = segment.moveIndex32(at, 1)) {
      switch (u_getIntPropertyValue(segment.char32At(at), UCHAR_WORD_BREAK)) {
        case U_WB_ALETTER:
        case U_WB_HEBREW_LETTER:
        case U_WB_NUMERIC:
        case U_WB_KATAKANA:
          return true;
        case U_WB_EXTENDNUMLET:
        case U_WB_EXTEND:
        case U_WB_FORMAT:
        case U_WB_ZWJ:
          break;
        default:
          is_more_than_connectors = true;
      }
    }
    return status >= 100 && is_more_than_connectors;
  }

  static icu::UnicodeString seen_of(const icu::UnicodeString& word) {
    icu::UnicodeString seen;
    for (int32_t at = 0; at < word.length(); at = word.moveIndex32(at, 1)) {
      const UChar32 c = word.char32At(at);
      const bool is_hidden = u_charType(c) == U_FORMAT_CHAR &&
                             u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0 && c != 0x200c &&
                             c != 0x200d;
      if (!is_hidden) {
        seen.append(c);
      }
    }
    while (seen.startsWith(icu::UnicodeString(u'\u202f'))) {
      seen.remove(0, 1);
    }
    while (seen.endsWith(icu::UnicodeString(u'\u202f'))) {
      seen.truncate(seen.length() - 1);
    }
    return seen;
  }

  void count(const icu::UnicodeString& word) {
    UErrorCode code = U_ZERO_ERROR;
    const auto seen = seen_of(word);
    auto folded = icu::Normalizer2::getNFDInstance(code)->normalize(seen, code);
    folded.foldCase();
    std::string key;
    icu::Normalizer2::getNFCInstance(code)->normalize(folded, code).toUTF8String(key);
    ++counts_[key];
    const std::unique_ptr<icu::BreakIterator> characters(
        icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), code));
    characters->setText(seen);
    while (characters->next() != icu::BreakIterator::DONE) {
      ++length_;
    }
    ++total_;
  }

  Figures result() const {
    Figures figures;
    figures.total_words = total_;
    figures.unique_words = counts_.size();
    figures.average_word_length =
        total_ == 0 ? 0 : static_cast<double>(length_) / static_cast<double>(total_);
    for (const auto& [word, count] : counts_) {
      figures.top_words.push_back({word, count});
    }
    std::sort(figures.top_words.begin(), figures.top_words.end(), [](const auto& a, const auto& b) {
      return a.count != b.count ? a.count > b.count : a.word < b.word;
    });
    figures.top_words.resize(std::min(figures.top_words.size(), top_words_max));
    return figures;
  }

  std::map<std::string, uint64_t> counts_;
  uint64_t total_ = 0;
  uint64_t length_ = 0;
};

inline void PrintTo(const Figures& figures, std::ostream* out) {
  *out << figures.total_words << " words, " << figures.unique_words << " different, "
       << figures.average_word_length << " long:";
  for (const auto& [word, count] : figures.top_words) {
    *out << " [" << word << "] " << count;
  }
}

inline Result<std::optional<Figures>> analyze(std::string_view bytes, const AnalyzerOptions& options = {}) {
  WAYBILL_TRY_ASSIGN(auto analyzer, Analyzer::open(options));
  WAYBILL_TRY(analyzer.feed(bytes));
  return analyzer.finish();
}

// The figures of a text that is taken.
inline Figures figures_of(std::string_view bytes) {
  const auto figures = analyze(bytes);
  EXPECT_TRUE(figures.has_value()) << figures.error().message;
  return figures ? **figures : Figures{};
}

inline std::string refusal_of(std::string_view bytes) {
  const auto figures = analyze(bytes);
  return figures ? "taken" : figures.error().message;
}

}  // namespace waybill::text
