#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>

#include "base/entropy.h"

namespace waybill {

using UlidChance = std::array<unsigned char, 10>;

// The 26 characters of a ULID of these parts; `ms` has 48 bits.
std::string ulid_text(int64_t ms, const UlidChance& chance);

// Makes ULIDs: 26 characters of Crockford's base 32, ten for the milliseconds since 1970 and sixteen by
// chance. Each is greater than all that the same maker made before it, also within one millisecond and where
// the clock goes back: its chance part is then that of the one before, and one more.
//
// Thread safety: make() may be called from any thread.
class UlidMaker {
 public:
  explicit UlidMaker(Entropy& entropy) : entropy_(entropy) {}

  std::string make(int64_t now_ms);

 private:
  void draw();
  void count_up();

  Entropy& entropy_;
  std::mutex mutex_;  // guards what follows
  int64_t last_ms_ = -1;
  UlidChance chance_{};
};

}  // namespace waybill
