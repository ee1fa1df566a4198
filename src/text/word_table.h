#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "text/huge_pages.h"
#include "text/short_word.h"

namespace waybill::text {

// How often each word was seen, in memory. Words are any bytes but zeros.
//
// Thread safety: one thread at a time.
class WordTable {
 public:
  // A place of the table. Words of up to 16 bytes are in it; of longer ones their hash and where they are.
  struct Entry {
    ShortWord bytes;
    uint64_t count = 0;  // 0: free
    uint32_t length = 0;

    std::string_view word() const;
  };

  using Entries = std::vector<Entry, HugePages<Entry>>;

  explicit WordTable(uint64_t hash_seed);

  // What reserve(words) would take at its height, while what is there moves to a larger place.
  std::size_t bytes_after_reserve(std::size_t words);

  // Makes room for so many new words. Each add() needs room for one.
  void reserve(std::size_t words);

  void add(std::string_view word);
  // The same for a word of 1 to 16 bytes. It is counted a little later: by then its place has come from
  // memory, which would have to be waited for.
  void add_short(ShortWord word, std::size_t length);

  std::size_t size();

  // All words, in the order of their bytes. Nothing can be found or added afterwards, until clear().
  std::span<const Entry> sorted();
  // All words in no order; places whose count is 0 are free.
  const Entries& entries();

  // Forgets all words. The places stay, for words to come.
  void clear();

 private:
  struct Waiting {
    ShortWord word;
    uint64_t hash;
    std::size_t length;  // 0: nobody waits
  };
  static constexpr std::size_t waiting_max = 16;

  std::size_t places_for(std::size_t words);
  void count_waiting();
  void count(const Waiting& waiting);
  void move_to(std::size_t places);
  void add_long(std::string_view word);
  Entry& place_for(uint64_t hash, auto is_same);
  const char* keep(std::string_view word);

  const uint64_t seed_;
  Entries entries_;  // a power of two
  std::size_t used_ = 0;
  std::array<Waiting, waiting_max> waiting_{};
  std::size_t next_waiting_ = 0;
  std::vector<std::unique_ptr<char[]>> chunks_;  // bytes of long words
  char* chunk_at_ = nullptr;                     // what is free of the last one
  std::size_t chunk_free_ = 0;
  std::size_t long_bytes_ = 0;
};

}  // namespace waybill::text
