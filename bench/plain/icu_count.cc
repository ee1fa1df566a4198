#include "plain/icu_count.h"

#include <unicode/brkiter.h>
#include <unicode/normalizer2.h>
#include <unicode/ubrk.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/check.h"

namespace waybill::bench {
namespace {

using Counts = std::unordered_map<std::string, uint64_t>;

std::vector<text::CountedWord> most_frequent(const Counts& counts) {
  std::vector<text::CountedWord> words;
  for (const auto& [word, count] : counts) {
    words.push_back({word, count});
  }
  const auto kept = std::min(words.size(), text::top_words_max);
  std::partial_sort(
      words.begin(), words.begin() + static_cast<std::ptrdiff_t>(kept), words.end(),
      [](const auto& a, const auto& b) { return a.count != b.count ? a.count > b.count : a.word < b.word; });
  words.resize(kept);
  return words;
}

}  // namespace

text::Figures count_with_icu(std::string_view utf8) {
  UErrorCode code = U_ZERO_ERROR;
  const auto root = icu::Locale::getRoot();
  const std::unique_ptr<icu::BreakIterator> words(icu::BreakIterator::createWordInstance(root, code));
  const std::unique_ptr<icu::BreakIterator> characters(
      icu::BreakIterator::createCharacterInstance(root, code));
  const auto* const decomposed = icu::Normalizer2::getNFDInstance(code);
  const auto* const composed = icu::Normalizer2::getNFCInstance(code);
  WAYBILL_CHECK(U_SUCCESS(code));
  const auto whole = icu::UnicodeString::fromUTF8({utf8.data(), static_cast<int32_t>(utf8.size())});
  words->setText(whole);
  Counts counts;
  uint64_t length = 0;
  text::Figures figures;
  std::string key;
  int32_t begin = words->first();
  for (int32_t end = words->next(); end != icu::BreakIterator::DONE; begin = end, end = words->next()) {
    if (words->getRuleStatus() < UBRK_WORD_NONE_LIMIT) {
      continue;
    }
    const icu::UnicodeString word(whole, begin, end - begin);
    characters->setText(word);
    while (characters->next() != icu::BreakIterator::DONE) {
      ++length;
    }
    auto folded = decomposed->normalize(word, code);
    folded.foldCase();
    key.clear();
    composed->normalize(folded, code).toUTF8String(key);
    ++counts[key];
    ++figures.total_words;
  }
  WAYBILL_CHECK(U_SUCCESS(code));
  figures.unique_words = counts.size();
  figures.average_word_length =
      figures.total_words == 0 ? 0 : static_cast<double>(length) / static_cast<double>(figures.total_words);
  figures.top_words = most_frequent(counts);
  return figures;
}

}  // namespace waybill::bench
