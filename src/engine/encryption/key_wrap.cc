#include "engine/encryption/key_wrap.h"

#include <openssl/evp.h>

#include <memory>

#include "base/check.h"

namespace waybill::engine::encryption {
namespace {

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { ::EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

WrappedKey wrap(const Secret& key, const Secret& master, std::string_view context, Entropy& entropy) {
  WrappedKey made;
  entropy.fill(made.nonce.data(), made.nonce.size());
  const Context cipher(::EVP_CIPHER_CTX_new());
  int length = 0;
  const bool wrapped = ::EVP_EncryptInit_ex(cipher.get(), ::EVP_aes_256_gcm(), nullptr, master.data(),
                                            made.nonce.data()) == 1 &&
                       ::EVP_EncryptUpdate(cipher.get(), nullptr, &length, bytes_of(context),
                                           static_cast<int>(context.size())) == 1 &&
                       ::EVP_EncryptUpdate(cipher.get(), made.key.data(), &length, key.data(),
                                           static_cast<int>(key_bytes)) == 1 &&
                       ::EVP_EncryptFinal_ex(cipher.get(), made.key.data() + key_bytes, &length) == 1 &&
                       ::EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG,
                                             static_cast<int>(made.tag.size()), made.tag.data()) == 1;
  WAYBILL_CHECK(wrapped);
  return made;
}

bool unwrap(const WrappedKey& wrapped, const Secret& master, std::string_view context, Secret& key) {
  auto tag = wrapped.tag;  // the library takes it through a pointer that is not const
  const Context cipher(::EVP_CIPHER_CTX_new());
  int length = 0;
  return ::EVP_DecryptInit_ex(cipher.get(), ::EVP_aes_256_gcm(), nullptr, master.data(),
                              wrapped.nonce.data()) == 1 &&
         ::EVP_DecryptUpdate(cipher.get(), nullptr, &length, bytes_of(context),
                             static_cast<int>(context.size())) == 1 &&
         ::EVP_DecryptUpdate(cipher.get(), key.data(), &length, wrapped.key.data(),
                             static_cast<int>(key_bytes)) == 1 &&
         ::EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, static_cast<int>(tag.size()),
                               tag.data()) == 1 &&
         ::EVP_DecryptFinal_ex(cipher.get(), key.data() + key_bytes, &length) == 1;
}

}  // namespace waybill::engine::encryption
