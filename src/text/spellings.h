#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "text/huge_pages.h"
#include "text/word_form.h"
#include "text/word_hash.h"

namespace waybill::text {

// The forms of words by their spellings. What was asked for of late is remembered, within a bound.
//
// Thread safety: one thread at a time.
class Spellings {
 public:
  Spellings(WordForms forms, uint64_t hash_seed);

  // As WordForm.
  struct Form {
    std::string_view folded;
    uint32_t length = 0;
  };

  // The form lives until the next call. So many bytes can be read at `spelling`, its own among them.
  Result<Form> find(std::string_view spelling, std::size_t readable);

 private:
  // A spelling of up to 24 bytes with zeros behind them.
  static constexpr std::size_t short_bytes_max = 24;
  using Key = std::array<uint64_t, short_bytes_max / sizeof(uint64_t)>;

  // Most words of most texts: the spelling and its form, side by side, in 64 bytes.
  struct Place {
    Key spelling{};
    std::array<char, short_bytes_max> folded{};
    uint32_t length = 0;
    uint8_t spelling_bytes = 0;  // 0: it is free
    uint8_t folded_bytes = 0;
  };

  struct Hash {
    using is_transparent = void;
    uint64_t seed;
    std::size_t operator()(std::string_view spelling) const { return hash_word(spelling, seed); }
  };

  static Key key_of(std::string_view spelling, std::size_t readable);
  Place& place_for(const Key& key, std::size_t bytes);
  Result<Form> find_long(std::string_view spelling);
  Result<Form> learn(std::string_view spelling, const Key& key);
  void make_room();

  WordForms forms_;
  const uint64_t seed_;
  std::vector<Place, HugePages<Place>> places_;
  std::size_t used_ = 0;
  std::unordered_map<std::string, WordForm, Hash, std::equal_to<>> long_;
  WordForm last_;  // of a spelling that is not remembered
};

}  // namespace waybill::text
