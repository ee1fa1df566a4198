#include "engine/encryption/cipher.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/check.h"

namespace waybill::engine::encryption {
namespace {

constexpr std::size_t block_bytes = 16;
constexpr std::size_t step_bytes_max = 1U << 30;  // the library counts in int
constexpr std::size_t idle_max = 8;
constexpr uint64_t nowhere = std::numeric_limits<uint64_t>::max();

}  // namespace

void Cipher::Free::operator()(evp_cipher_ctx_st* context) const {
  ::EVP_CIPHER_CTX_free(context);
}

Cipher::Cipher(const Secret& file_key) : context_(::EVP_CIPHER_CTX_new()), position_(0) {
  const std::array<unsigned char, block_bytes> start{};
  WAYBILL_CHECK(
      ::EVP_EncryptInit_ex(context_.get(), ::EVP_aes_256_ctr(), nullptr, file_key.data(), start.data()) == 1);
}

Cipher::Cipher(const Cipher& other) : context_(::EVP_CIPHER_CTX_new()), position_(nowhere) {
  WAYBILL_CHECK(::EVP_CIPHER_CTX_copy(context_.get(), other.context_.get()) == 1);
}

void Cipher::apply(uint64_t offset, const char* in, char* out, std::size_t count) {
  if (offset != position_) {
    seek(offset);
  }
  while (count > 0) {
    const std::size_t step = std::min(count, step_bytes_max);
    advance(in, out, step);
    in += step;
    out += step;
    count -= step;
  }
}

// The counter is the number of the block, big-endian. Within a block the stream can only be walked.
void Cipher::seek(uint64_t offset) {
  std::array<unsigned char, block_bytes> counter{};
  uint64_t block = offset / block_bytes;
  for (std::size_t i = block_bytes; block != 0; block >>= 8) {
    counter[--i] = static_cast<unsigned char>(block);
  }
  WAYBILL_CHECK(::EVP_EncryptInit_ex(context_.get(), nullptr, nullptr, nullptr, counter.data()) == 1);
  position_ = offset / block_bytes * block_bytes;
  std::array<char, block_bytes> skipped{};
  advance(skipped.data(), skipped.data(), offset % block_bytes);
}

void Cipher::advance(const char* in, char* out, std::size_t count) {
  int written = 0;
  WAYBILL_CHECK(::EVP_EncryptUpdate(context_.get(), reinterpret_cast<unsigned char*>(out), &written,
                                    reinterpret_cast<const unsigned char*>(in),
                                    static_cast<int>(count)) == 1);
  position_ += count;
}

void SharedCipher::apply(uint64_t offset, const char* in, char* out, std::size_t count) const {
  auto cipher = take();
  cipher->apply(offset, in, out, count);
  give_back(std::move(cipher));
}

std::unique_ptr<Cipher> SharedCipher::take() const {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto cipher = std::move(idle_.back());
      idle_.pop_back();
      return cipher;
    }
  }
  return std::make_unique<Cipher>(original_);
}

void SharedCipher::give_back(std::unique_ptr<Cipher> cipher) const {
  const std::lock_guard lock(mutex_);
  if (idle_.size() < idle_max) {
    idle_.push_back(std::move(cipher));
  }
}

}  // namespace waybill::engine::encryption
