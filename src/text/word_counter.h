#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "text/figures.h"
#include "text/run.h"
#include "text/top_words.h"
#include "text/word_table.h"

namespace waybill::text {

// Counts words exactly within bounded memory: where there are too many different ones, those so far go to a
// file in order, and the files are merged.
//
// Thread safety: one thread at a time. Nothing can be done after an error.
class WordCounter {
 public:
  struct Options {
    std::size_t memory_bytes_max;
    std::string temporary_folder;  // empty: none
    uint64_t hash_seed;
  };

  explicit WordCounter(Options options);

  // To be called before each `words` words. Error limit_exceeded where they may be too many for the memory
  // and there is no folder; the errors of RunWriter and RunReader.
  Status make_room(std::size_t words);

  // A word in its folded form; `length` is that of what is written, in user-perceived characters.
  void add(std::string_view folded, uint32_t length);
  // A word of ASCII, not folded. `readable` bytes can be read from its beginning on.
  void add_ascii(std::string_view word, std::size_t readable);

  // What was counted; nullopt where `stop` was requested before it was known. Called once.
  Result<std::optional<Figures>> finish(const std::stop_token& stop);

 private:
  Status spill();
  Status add_run(Run run, std::size_t level);
  Result<bool> offer_all(TopWords& top, const std::stop_token& stop);

  const Options options_;
  WordTable table_;
  uint64_t total_words_ = 0;
  uint64_t total_length_ = 0;
  std::vector<std::vector<Run>> levels_;  // runs that went through as many merges
  std::string folded_;
};

}  // namespace waybill::text
