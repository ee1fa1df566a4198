#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.h"
#include "text/word_form.h"
#include "text/word_hash.h"

namespace waybill::text {

// The forms of words by their spellings. What was asked for of late is remembered, within a bound.
//
// Thread safety: one thread at a time.
class Spellings {
 public:
  Spellings(WordForms forms, uint64_t hash_seed) : forms_(std::move(forms)), known_(0, Hash{hash_seed}) {}

  // The form lives until the next call.
  Result<const WordForm*> find(std::string_view spelling);

 private:
  struct Hash {
    using is_transparent = void;
    uint64_t seed;
    std::size_t operator()(std::string_view spelling) const { return hash_word(spelling, seed); }
  };

  WordForms forms_;
  std::unordered_map<std::string, WordForm, Hash, std::equal_to<>> known_;
  WordForm last_;  // of a spelling that is too long to be remembered
};

}  // namespace waybill::text
