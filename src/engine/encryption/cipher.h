#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/encryption/secret.h"

struct evp_cipher_ctx_st;

namespace waybill::engine::encryption {

// AES-256-CTR under the key of one file: byte n of the file always meets byte n of the key stream. So any
// part of a file can be read or written alone, and encrypting and decrypting are the same.
//
// Two different texts at one place under one key would tell each other: a file is written once, front to
// back, and a new file has a new key.
//
// Thread safety: one thread at a time.
class Cipher {
 public:
  explicit Cipher(const Secret& file_key);
  Cipher(const Cipher& other);
  Cipher& operator=(const Cipher&) = delete;

  // Applies the key stream to `count` bytes that stand at `offset`. `in` and `out` may be the same. Going on
  // where the last call ended costs no set-up.
  void apply(uint64_t offset, const char* in, char* out, std::size_t count);

 private:
  struct Free {
    void operator()(evp_cipher_ctx_st* context) const;
  };

  void seek(uint64_t offset);
  void advance(const char* in, char* out, std::size_t count);

  std::unique_ptr<evp_cipher_ctx_st, Free> context_;
  uint64_t position_;
};

// The same for many threads at once: each takes a cipher that lies idle, or makes one more.
class SharedCipher {
 public:
  explicit SharedCipher(const Secret& file_key) : original_(file_key) {}

  void apply(uint64_t offset, const char* in, char* out, std::size_t count) const;

 private:
  std::unique_ptr<Cipher> take() const;
  void give_back(std::unique_ptr<Cipher> cipher) const;

  const Cipher original_;
  mutable std::mutex mutex_;  // guards idle_
  mutable std::vector<std::unique_ptr<Cipher>> idle_;
};

}  // namespace waybill::engine::encryption
