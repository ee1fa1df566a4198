#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace waybill::transfer {

// An MD5 in the making. What the format of exports asks for: a checksum against damage, not against people.
class Md5 {
 public:
  Md5();
  ~Md5();
  Md5(const Md5&) = delete;
  Md5& operator=(const Md5&) = delete;

  void add(std::string_view bytes);
  std::string finish();  // 16 bytes; nothing may be added from here on

 private:
  evp_md_ctx_st* context_;
};

std::string md5(std::string_view bytes);
std::string base64(std::string_view bytes);

}  // namespace waybill::transfer
