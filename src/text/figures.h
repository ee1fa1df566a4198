#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace waybill::text {

inline constexpr std::size_t top_words_max = 10;

struct CountedWord {
  std::string word;  // folded, as words are compared (word_form.h)
  uint64_t count = 0;

  bool operator==(const CountedWord&) const = default;
};

// What is told of a text: totalWords, uniqueWords, avgWordLength and top10Words of the file's record. What a
// word is stands in README.md.
struct Figures {
  uint64_t total_words = 0;
  uint64_t unique_words = 0;

  // Of all words as they are written, in user-perceived characters. 0 for a text without words.
  double average_word_length = 0;

  // The most frequent first; words of one count in the order of their code points.
  std::vector<CountedWord> top_words;

  bool operator==(const Figures&) const = default;
};

}  // namespace waybill::text
