#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/figures.h"

namespace waybill::text {

// Picks the most frequent of different words, each of which is offered once with its count.
class TopWords {
 public:
  void offer(std::string_view word, uint64_t count);

  uint64_t offered() const { return offered_; }

  // The most frequent first; those of one count in the order of their bytes, which is that of their code
  // points.
  const std::vector<CountedWord>& words() const { return words_; }

 private:
  std::vector<CountedWord> words_;
  uint64_t offered_ = 0;
};

}  // namespace waybill::text
