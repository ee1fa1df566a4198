#include "job/digest.h"

#include <openssl/sha.h>

namespace waybill::job {

std::string sha256(std::string_view bytes) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest);
  return {reinterpret_cast<const char*>(digest), sizeof(digest)};
}

}  // namespace waybill::job
