#include "text/word_table.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "text/word_hash.h"

namespace waybill::text {

namespace {

constexpr std::size_t places_min = 1024;
constexpr std::size_t chunk_bytes = 1 << 16;

bool is_short(uint32_t length) {
  return length <= short_word_bytes_max;
}

const char* long_word(const WordTable::Entry& entry) {
  return std::bit_cast<const char*>(entry.bytes.high);
}

bool is_before(const WordTable::Entry& a, const WordTable::Entry& b) {
  if (is_short(a.length) && is_short(b.length)) {
    // The zeros behind the shorter word are less than any byte of the longer one.
    const uint64_t a_low = __builtin_bswap64(a.bytes.low);
    const uint64_t b_low = __builtin_bswap64(b.bytes.low);
    return a_low != b_low ? a_low < b_low : __builtin_bswap64(a.bytes.high) < __builtin_bswap64(b.bytes.high);
  }
  return a.word() < b.word();
}

}  // namespace

std::string_view WordTable::Entry::word() const {
  return {is_short(length) ? reinterpret_cast<const char*>(&bytes) : long_word(*this), length};
}

WordTable::WordTable(uint64_t hash_seed) : seed_(hash_seed), entries_(places_min) {}

// At most three places in five are in use, so that searches stay short.
std::size_t WordTable::places_for(std::size_t words) {
  count_waiting();
  return std::max(entries_.size(), std::bit_ceil((used_ + words) * 5 / 3 + 1));
}

std::size_t WordTable::bytes_after_reserve(std::size_t words) {
  const std::size_t places = places_for(words);
  const std::size_t moving = places == entries_.size() ? 0 : entries_.size();
  return (places + moving) * sizeof(Entry) + long_bytes_;
}

void WordTable::reserve(std::size_t words) {
  if (const std::size_t places = places_for(words); places != entries_.size()) {
    move_to(places);
  }
}

void WordTable::move_to(std::size_t places) {
  Entries old(places);
  old.swap(entries_);
  for (const Entry& entry : old) {
    if (entry.count > 0) {
      const uint64_t hash =
          is_short(entry.length) ? hash_pair(entry.bytes.low, entry.bytes.high, seed_) : entry.bytes.low;
      place_for(hash, [](const Entry&) { return false; }) = entry;
    }
  }
}

// The place of the word, or a free one.
WordTable::Entry& WordTable::place_for(uint64_t hash, auto is_same) {
  const std::size_t mask = entries_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    Entry& entry = entries_[at];
    if (is_same(entry) || entry.count == 0) {
      return entry;
    }
  }
}

void WordTable::add(std::string_view word) {
  if (word.size() > short_word_bytes_max) {
    add_long(word);
  } else {
    add_short(make_short_word(word), word.size());
  }
}

void WordTable::add_short(ShortWord word, std::size_t length) {
  const uint64_t hash = hash_pair(word.low, word.high, seed_);
  __builtin_prefetch(&entries_[hash & (entries_.size() - 1)], 1);
  Waiting& place = waiting_[next_waiting_++ % waiting_max];
  if (place.length > 0) {
    count(place);
  }
  place = {word, hash, length};
}

void WordTable::count_waiting() {
  for (Waiting& waiting : waiting_) {
    if (waiting.length > 0) {
      count(waiting);
    }
    waiting.length = 0;
  }
}

void WordTable::count(const Waiting& waiting) {
  Entry& entry = place_for(waiting.hash, [&](const Entry& there) {
    return there.bytes == waiting.word && there.length == waiting.length;
  });
  if (entry.count++ == 0) {
    entry.bytes = waiting.word;
    entry.length = static_cast<uint32_t>(waiting.length);
    ++used_;
  }
}

std::size_t WordTable::size() {
  count_waiting();
  return used_;
}

const WordTable::Entries& WordTable::entries() {
  count_waiting();
  return entries_;
}

void WordTable::add_long(std::string_view word) {
  const uint64_t hash = hash_word(word, seed_);
  Entry& entry = place_for(hash, [&](const Entry& there) {
    return there.length == word.size() && there.bytes.low == hash && there.word() == word;
  });
  if (entry.count++ == 0) {
    entry.bytes = {hash, std::bit_cast<uint64_t>(keep(word))};
    entry.length = static_cast<uint32_t>(word.size());
    ++used_;
  }
}

const char* WordTable::keep(std::string_view word) {
  if (word.size() > chunk_free_) {
    const std::size_t bytes = std::max(chunk_bytes, word.size());
    chunk_at_ = chunks_.emplace_back(std::make_unique<char[]>(bytes)).get();
    chunk_free_ = bytes;
    long_bytes_ += bytes;
  }
  char* const kept = chunk_at_;
  std::memcpy(kept, word.data(), word.size());
  chunk_at_ += word.size();
  chunk_free_ -= word.size();
  return kept;
}

std::span<const WordTable::Entry> WordTable::sorted() {
  count_waiting();
  const auto end =
      std::partition(entries_.begin(), entries_.end(), [](const Entry& e) { return e.count > 0; });
  std::sort(entries_.begin(), end, is_before);
  return {entries_.begin(), end};
}

void WordTable::clear() {
  std::fill(entries_.begin(), entries_.end(), Entry{});
  used_ = 0;
  waiting_ = {};
  chunks_.clear();
  chunk_at_ = nullptr;
  chunk_free_ = 0;
  long_bytes_ = 0;
}

}  // namespace waybill::text
