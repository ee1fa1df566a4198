#include "engine/encryption/secret.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "engine/encryption/hex.h"

namespace waybill::engine::encryption {

Secret::Secret(Secret&& other) noexcept : bytes_(other.bytes_) {
  wipe(other.bytes_.data(), key_bytes);
}

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this != &other) {
    bytes_ = other.bytes_;
    wipe(other.bytes_.data(), key_bytes);
  }
  return *this;
}

Secret::~Secret() {
  wipe(bytes_.data(), key_bytes);
}

void wipe(void* bytes, std::size_t count) {
  OPENSSL_cleanse(bytes, count);
}

std::string KeyId::text() const {
  return to_hex(bytes.data(), bytes.size());
}

Mac mac_of(const Secret& key, std::string_view message) {
  Mac mac{};
  unsigned int length = 0;
  const auto* made =
      ::HMAC(::EVP_sha256(), key.data(), static_cast<int>(key_bytes),
             reinterpret_cast<const unsigned char*>(message.data()), message.size(), mac.data(), &length);
  WAYBILL_CHECK(made != nullptr && length == mac.size());
  return mac;
}

MasterKey::MasterKey(Secret given) : secret(std::move(given)) {
  const Mac mac = mac_of(secret, "waybill key id 1");
  std::copy_n(mac.begin(), id.bytes.size(), id.bytes.begin());
}

}  // namespace waybill::engine::encryption
