#include "text/spellings.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace waybill::text {

namespace {

// Of 64 bytes each, and as many of longer spellings with forms of three times that at the worst: some 30 MB,
// and a third of it in usual texts. All that are frequent have to fit, since each costs more than 1 us to
// find anew.
constexpr std::size_t known_max = 65'536;
constexpr std::size_t spelling_bytes_max = 64;
constexpr std::size_t places_min = 256;

}  // namespace

Spellings::Spellings(WordForms forms, uint64_t hash_seed)
    : forms_(std::move(forms)), seed_(hash_seed), places_(places_min), long_(0, Hash{hash_seed}) {}

Spellings::Key Spellings::key_of(std::string_view spelling, std::size_t readable) {
  Key key{};
  if (readable < short_bytes_max) {
    std::memcpy(key.data(), spelling.data(), spelling.size());
    return key;
  }
  // Without a branch on the length, which nobody can guess.
  std::memcpy(key.data(), spelling.data(), short_bytes_max);
  for (std::size_t part = 0; part < key.size(); ++part) {
    const auto bits = 8 * (static_cast<std::ptrdiff_t>(spelling.size()) -
                           static_cast<std::ptrdiff_t>(part * sizeof(uint64_t)));
    key[part] &= bits >= 64 ? ~uint64_t{0} : bits <= 0 ? 0 : ~(~uint64_t{0} << bits);
  }
  return key;
}

// The place of the spelling, or a free one.
Spellings::Place& Spellings::place_for(const Key& key, std::size_t bytes) {
  const std::size_t mask = places_.size() - 1;
  for (std::size_t at = hash_pair(hash_pair(key[0], key[1], seed_), key[2], seed_) & mask;;
       at = (at + 1) & mask) {
    Place& place = places_[at];
    if ((place.spelling == key && place.spelling_bytes == bytes) || place.spelling_bytes == 0) {
      return place;
    }
  }
}

Result<Spellings::Form> Spellings::find(std::string_view spelling, std::size_t readable) {
  if (spelling.size() > short_bytes_max) {
    return find_long(spelling);
  }
  const Key key = key_of(spelling, readable);
  const Place& place = place_for(key, spelling.size());
  if (place.spelling_bytes != 0) {
    return Form{{place.folded.data(), place.folded_bytes}, place.length};
  }
  return learn(spelling, key);
}

Result<Spellings::Form> Spellings::learn(std::string_view spelling, const Key& key) {
  if (long_.contains(spelling)) {
    return find_long(spelling);
  }
  WAYBILL_TRY_ASSIGN(last_, forms_.make(spelling));
  const Form form{last_.folded, last_.length};
  // A few characters become three by folding.
  if (form.folded.size() > short_bytes_max) {
    return find_long(spelling);
  }
  make_room();
  Place& place = place_for(key, spelling.size());
  place.spelling = key;
  place.spelling_bytes = static_cast<uint8_t>(spelling.size());
  std::memcpy(place.folded.data(), form.folded.data(), form.folded.size());
  place.folded_bytes = static_cast<uint8_t>(form.folded.size());
  place.length = form.length;
  ++used_;
  return form;
}

// At most half of the places are in use. Frequent words are back soon, so nothing is kept about how long ago
// each was asked for.
void Spellings::make_room() {
  if (used_ >= known_max) {
    std::fill(places_.begin(), places_.end(), Place{});
    used_ = 0;
  }
  if ((used_ + 1) * 2 <= places_.size()) {
    return;
  }
  decltype(places_) old(places_.size() * 2);
  old.swap(places_);
  for (const Place& place : old) {
    if (place.spelling_bytes != 0) {
      place_for(place.spelling, place.spelling_bytes) = place;
    }
  }
}

Result<Spellings::Form> Spellings::find_long(std::string_view spelling) {
  auto found = long_.find(spelling);
  if (found == long_.end()) {
    WAYBILL_TRY_ASSIGN(last_, forms_.make(spelling));
    if (spelling.size() > spelling_bytes_max) {
      return Form{last_.folded, last_.length};
    }
    if (long_.size() >= known_max) {
      long_.clear();
    }
    found = long_.emplace(spelling, std::move(last_)).first;
  }
  return Form{found->second.folded, found->second.length};
}

}  // namespace waybill::text
