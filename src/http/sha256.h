#pragma once

#include <array>
#include <string>
#include <string_view>

namespace waybill::http {

using Digest = std::array<unsigned char, 32>;

inline std::string_view bytes_of(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

// Thread safety: every function may be called from any thread.
Digest sha256(std::string_view text);

// A key of HMAC-SHA256, prepared for use.
class HmacKey {
 public:
  HmacKey() = default;
  explicit HmacKey(std::string_view key);

  Digest sign(std::string_view text) const;

 private:
  static constexpr std::size_t block_bytes = 64;
  std::array<char, block_bytes> inner_{};
  std::array<char, block_bytes> outer_{};
};

}  // namespace waybill::http
