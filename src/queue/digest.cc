#include "queue/digest.h"

#include <openssl/evp.h>

#include <array>

#include "base/bytes.h"
#include "base/check.h"

namespace waybill::queue {
namespace {

constexpr std::size_t md5_bytes = 16;
constexpr char text_transport = 1;
constexpr char bytes_transport = 2;

// Fetched once: looking the digest up for each use costs more than using it.
const EVP_MD* fetched_md5() {
  static const EVP_MD* const digest = EVP_MD_fetch(nullptr, "MD5", nullptr);
  return digest;
}

struct Context {
  Context() : evp(EVP_MD_CTX_new()) { WAYBILL_CHECK(evp != nullptr && fetched_md5() != nullptr); }
  ~Context() { EVP_MD_CTX_free(evp); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  EVP_MD_CTX* evp;
};

void append_sized(std::string& out, std::string_view bytes) {
  append_u32_be(out, static_cast<uint32_t>(bytes.size()));
  out.append(bytes);
}

struct AttributeView {
  std::string_view name;
  std::string_view type;
  std::string_view value;
  bool is_binary = false;
};

void append_attribute(std::string& out, const AttributeView& attribute) {
  append_sized(out, attribute.name);
  append_sized(out, attribute.type);
  out.push_back(attribute.is_binary ? bytes_transport : text_transport);
  append_sized(out, attribute.value);
}

}  // namespace

std::string md5_hex(std::string_view bytes) {
  thread_local const Context context;
  std::array<unsigned char, md5_bytes> digest{};
  const bool done = EVP_DigestInit_ex2(context.evp, fetched_md5(), nullptr) == 1 &&
                    EVP_DigestUpdate(context.evp, bytes.data(), bytes.size()) == 1 &&
                    EVP_DigestFinal_ex(context.evp, digest.data(), nullptr) == 1;
  WAYBILL_CHECK(done);
  return hex_lower({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

std::string md5_of_attributes(const std::vector<MessageAttribute>& attributes) {
  std::string bytes;
  for (const auto& attribute : attributes) {
    append_attribute(bytes, {attribute.name, attribute.type, attribute.value, attribute.is_binary()});
  }
  return md5_hex(bytes);
}

std::string md5_of_trace_header(std::string_view trace_header) {
  std::string bytes;
  append_attribute(bytes, {"AWSTraceHeader", "String", trace_header, false});
  return md5_hex(bytes);
}

}  // namespace waybill::queue
