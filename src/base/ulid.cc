#include "base/ulid.h"

#include <algorithm>

namespace waybill {

namespace {

constexpr char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr int time_characters = 10;
constexpr int bits_per_character = 5;

}  // namespace

std::string ulid_text(int64_t ms, const UlidChance& chance) {
  std::string text(time_characters, '0');
  auto rest = static_cast<uint64_t>(ms);
  for (int i = time_characters - 1; i >= 0; --i, rest >>= bits_per_character) {
    text[static_cast<std::size_t>(i)] = alphabet[rest & 31];
  }
  uint32_t bits = 0;
  int bit_count = 0;
  for (const unsigned char byte : chance) {
    bits = (bits << 8 | byte) & 0xfff;
    for (bit_count += 8; bit_count >= bits_per_character; bit_count -= bits_per_character) {
      text += alphabet[bits >> (bit_count - bits_per_character) & 31];
    }
  }
  return text;
}

std::string UlidMaker::make(int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  if (now_ms > last_ms_) {
    last_ms_ = now_ms;
    draw();
  } else {
    count_up();
  }
  return ulid_text(last_ms_, chance_);
}

// The first bit stays free, so that there is room to count up.
void UlidMaker::draw() {
  entropy_.fill(chance_.data(), chance_.size());
  chance_[0] &= 0x7f;
}

void UlidMaker::count_up() {
  for (auto byte = chance_.rbegin(); byte != chance_.rend(); ++byte) {
    if (++*byte != 0) {
      return;
    }
  }
  // All of 2^79 ids of one millisecond are used up: the next millisecond is begun early.
  ++last_ms_;
  draw();
}

}  // namespace waybill
