#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <string>
#include <string_view>

namespace waybill::engine::encryption {

inline constexpr std::size_t key_bytes = 32;

// A key of 256 bits. It is wiped where it ends, moves but is never copied, and has no text form.
class Secret {
 public:
  Secret() = default;
  Secret(Secret&& other) noexcept;
  Secret& operator=(Secret&& other) noexcept;
  ~Secret();

  unsigned char* data() { return bytes_.data(); }
  const unsigned char* data() const { return bytes_.data(); }

 private:
  std::array<unsigned char, key_bytes> bytes_{};
};

// Overwrites what held a key, also where the compiler sees that nobody reads it again.
void wipe(void* bytes, std::size_t count);

// Tells keys apart without saying anything about them: the first bytes of a MAC under the key.
struct KeyId {
  std::array<unsigned char, 8> bytes{};

  auto operator<=>(const KeyId&) const = default;
  std::string text() const;  // 16 hexadecimal digits
};

using Mac = std::array<unsigned char, 32>;

// HMAC-SHA-256 of `message` under `key`.
Mac mac_of(const Secret& key, std::string_view message);

// A key that wraps the keys of files.
struct MasterKey {
  KeyId id;
  Secret secret;

  explicit MasterKey(Secret given);
};

}  // namespace waybill::engine::encryption
