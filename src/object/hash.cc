#include "object/hash.h"

#include <openssl/evp.h>

#include <array>

#include "base/check.h"

namespace waybill::object {
namespace {

// Fetched once: looking the hash up for each use costs more than a short use of it.
const EVP_MD* fetched(HashKind kind) {
  static const std::array<const EVP_MD*, 3> all{EVP_MD_fetch(nullptr, "MD5", nullptr),
                                                EVP_MD_fetch(nullptr, "SHA1", nullptr),
                                                EVP_MD_fetch(nullptr, "SHA256", nullptr)};
  return all[static_cast<std::size_t>(kind)];
}

}  // namespace

void Hash::Free::operator()(evp_md_ctx_st* context) const {
  EVP_MD_CTX_free(context);
}

Hash::Hash(HashKind kind) : kind_(kind), context_(EVP_MD_CTX_new()) {
  WAYBILL_CHECK(context_ != nullptr);
  begin();
}

void Hash::begin() {
  WAYBILL_CHECK(fetched(kind_) != nullptr &&
                EVP_DigestInit_ex2(context_.get(), fetched(kind_), nullptr) == 1);
}

void Hash::add(std::string_view bytes) {
  WAYBILL_CHECK(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
}

std::string Hash::take() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  WAYBILL_CHECK(EVP_DigestFinal_ex(context_.get(), digest.data(), &length) == 1);
  begin();
  return {reinterpret_cast<const char*>(digest.data()), length};
}

std::string hash_of(HashKind kind, std::string_view bytes) {
  Hash hash(kind);
  hash.add(bytes);
  return hash.take();
}

}  // namespace waybill::object
