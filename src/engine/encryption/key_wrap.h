#pragma once

#include <array>
#include <string_view>

#include "base/entropy.h"
#include "engine/encryption/secret.h"

namespace waybill::engine::encryption {

// A file's key under a master key: AES-256-GCM, so that a wrong key or a changed byte is noticed.
struct WrappedKey {
  std::array<unsigned char, 12> nonce{};
  std::array<unsigned char, key_bytes> key{};
  std::array<unsigned char, 16> tag{};
};

// `context` is what the wrapped key belongs to; unwrapping with another one fails.
WrappedKey wrap(const Secret& key, const Secret& master, std::string_view context, Entropy& entropy);

// False where the master key is another one, or where anything was changed.
bool unwrap(const WrappedKey& wrapped, const Secret& master, std::string_view context, Secret& key);

}  // namespace waybill::engine::encryption
