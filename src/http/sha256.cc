#include "http/sha256.h"

#include <openssl/evp.h>

#include <cstring>

#include "base/check.h"

namespace waybill::http {
namespace {

// Fetched once: looking the digest up for each use costs more than using it.
const EVP_MD* fetched_sha256() {
  static const EVP_MD* const digest = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return digest;
}

struct Context {
  Context() : evp(EVP_MD_CTX_new()) { WAYBILL_CHECK(evp != nullptr && fetched_sha256() != nullptr); }
  ~Context() { EVP_MD_CTX_free(evp); }
  EVP_MD_CTX* evp;
};

Digest digest_of(std::string_view first, std::string_view second) {
  thread_local const Context context;
  Digest digest;
  const bool done = EVP_DigestInit_ex2(context.evp, fetched_sha256(), nullptr) == 1 &&
                    EVP_DigestUpdate(context.evp, first.data(), first.size()) == 1 &&
                    EVP_DigestUpdate(context.evp, second.data(), second.size()) == 1 &&
                    EVP_DigestFinal_ex(context.evp, digest.data(), nullptr) == 1;
  WAYBILL_CHECK(done);
  return digest;
}

}  // namespace

Digest sha256(std::string_view text) {
  return digest_of(text, {});
}

HmacKey::HmacKey(std::string_view key) {
  const Digest hashed = key.size() > block_bytes ? sha256(key) : Digest{};
  const std::string_view material = key.size() > block_bytes ? bytes_of(hashed) : key;
  std::memcpy(inner_.data(), material.data(), material.size());
  outer_ = inner_;
  for (std::size_t i = 0; i < block_bytes; ++i) {
    inner_[i] = static_cast<char>(inner_[i] ^ 0x36);
    outer_[i] = static_cast<char>(outer_[i] ^ 0x5c);
  }
}

Digest HmacKey::sign(std::string_view text) const {
  const Digest inside = digest_of({inner_.data(), inner_.size()}, text);
  return digest_of({outer_.data(), outer_.size()}, bytes_of(inside));
}

}  // namespace waybill::http
