#include "text/top_words.h"

#include <algorithm>
#include <string>

namespace waybill::text {

void TopWords::offer(std::string_view word, uint64_t count) {
  ++offered_;
  const auto goes_before = [&](const CountedWord& there) {
    return count != there.count ? count > there.count : word < there.word;
  };
  const bool is_full = words_.size() == top_words_max;
  if (is_full && !goes_before(words_.back())) {
    return;
  }
  const auto place = std::find_if(words_.begin(), words_.end(), goes_before);
  words_.insert(place, CountedWord{std::string(word), count});
  if (is_full) {
    words_.pop_back();
  }
}

}  // namespace waybill::text
