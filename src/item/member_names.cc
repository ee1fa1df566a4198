#include "item/member_names.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace waybill::item {

namespace {

template <typename Word>
uint64_t word_at(const char* bytes) {
  Word word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

// The first and last bytes of a name, brought into one word.
uint64_t ends_of(std::string_view name) {
  const char* const first = name.data();
  const char* const last = name.data() + name.size();
  if (name.size() >= 8) {
    return word_at<uint64_t>(first) ^ word_at<uint64_t>(last - 8) << 1;
  }
  if (name.size() >= 4) {
    return word_at<uint32_t>(first) | word_at<uint32_t>(last - 4) << 32;
  }
  return name.empty() ? 0 : word_at<uint8_t>(first) | word_at<uint8_t>(last - 1) << 8;
}

// A few names and where they stand in a hash table. Names chosen to meet in it cost no more than comparing
// each with each.
class FewNames {
 public:
  static constexpr std::size_t names_max = 64;

  // False where the name is there already. At most `names_max` may be added.
  bool add(std::string_view name) {
    for (std::size_t slot = first_slot(name);; slot = (slot + 1) % slots) {
      if (places_[slot] == 0) {
        names_[count_++] = {name.data(), name.size()};
        places_[slot] = static_cast<unsigned char>(count_);
        return true;
      }
      if (names_[places_[slot] - 1U].is(name)) {
        return false;
      }
    }
  }

 private:
  static constexpr int slot_bits = 7;
  static constexpr std::size_t slots = 1 << slot_bits;
  static_assert(names_max < slots, "a search ends at a free slot");

  struct Name {
    const char* data;
    std::size_t size;

    bool is(std::string_view other) const { return std::string_view(data, size) == other; }
  };

  static std::size_t first_slot(std::string_view name) {
    constexpr uint64_t odd = 0x9E3779B97F4A7C15ULL;
    return static_cast<std::size_t>(((ends_of(name) + name.size()) * odd) >> (64 - slot_bits));
  }

  std::array<unsigned char, slots> places_{};  // 0: free; else the name's index + 1
  std::array<Name, names_max> names_;          // the first count_ are set
  std::size_t count_ = 0;
};

bool few_have_namesakes(const json::Value& object) {
  FewNames names;
  for (json::Members members(object); members.next();) {
    if (!names.add(members.key())) {
      return true;
    }
  }
  return false;
}

bool many_have_namesakes(const json::Value& object) {
  std::vector<std::string_view> names;
  names.reserve(object.size());
  for (json::Members members(object); members.next();) {
    names.push_back(members.key());
  }
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

}  // namespace

bool has_namesakes(const json::Value& object) {
  const std::size_t count = object.size();
  if (count < 2) {
    return false;
  }
  return count <= FewNames::names_max ? few_have_namesakes(object) : many_have_namesakes(object);
}

std::vector<bool> superseded_members(const json::Value& object) {
  std::vector<std::pair<std::string_view, std::size_t>> places;
  for (json::Members members(object); members.next();) {
    places.emplace_back(members.key(), places.size());
  }
  std::sort(places.begin(), places.end());
  std::vector<bool> superseded(places.size());
  for (std::size_t i = 1; i < places.size(); ++i) {
    superseded[places[i - 1].second] = places[i - 1].first == places[i].first;
  }
  return superseded;
}

}  // namespace waybill::item
