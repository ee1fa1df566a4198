#include "transfer/digest.h"

#include <openssl/evp.h>

#include <array>

#include "base/bytes.h"
#include "base/check.h"

namespace waybill::transfer {

Md5::Md5() : context_(EVP_MD_CTX_new()) {
  WAYBILL_CHECK(context_ != nullptr && EVP_DigestInit_ex(context_, EVP_md5(), nullptr) == 1);
}

Md5::~Md5() {
  EVP_MD_CTX_free(context_);
}

void Md5::add(std::string_view bytes) {
  WAYBILL_CHECK(EVP_DigestUpdate(context_, bytes.data(), bytes.size()) == 1);
}

std::string Md5::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  WAYBILL_CHECK(EVP_DigestFinal_ex(context_, digest.data(), &length) == 1);
  return {reinterpret_cast<const char*>(digest.data()), length};
}

std::string md5(std::string_view bytes) {
  Md5 digest;
  digest.add(bytes);
  return digest.finish();
}

std::string base64(std::string_view bytes) {
  std::string text;
  append_base64(text, bytes);
  return text;
}

}  // namespace waybill::transfer
