#include "asset/digest.h"

#include <openssl/evp.h>

#include <array>

#include "base/bytes.h"
#include "base/check.h"

namespace waybill::asset {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  WAYBILL_CHECK(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) == 1);
  return {reinterpret_cast<const char*>(digest.data()), length};
}

std::string sha256_hex(std::string_view bytes) {
  return hex_lower(sha256(bytes));
}

}  // namespace waybill::asset
