#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace waybill::object {

enum class HashKind : unsigned char { md5, sha1, sha256 };

// A hash in the making. MD5 and SHA-1 are what S3 asks for: against damage, not against people.
//
// Thread safety: one thread at a time.
class Hash {
 public:
  explicit Hash(HashKind kind);

  void add(std::string_view bytes);

  // The hash of all that was added, and begins anew.
  std::string take();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };

  void begin();

  HashKind kind_;
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

std::string hash_of(HashKind kind, std::string_view bytes);

}  // namespace waybill::object
