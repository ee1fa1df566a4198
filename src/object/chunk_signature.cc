#include "object/chunk_signature.h"

namespace waybill::object {
namespace {

constexpr std::string_view sha256_of_nothing =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

std::string head(std::string_view algorithm, const SignatureChain& chain) {
  std::string text(algorithm);
  for (const auto part : {chain.date_time, chain.scope, chain.previous}) {
    text.append("\n").append(part);
  }
  return text;
}

}  // namespace

std::string chunk_string_to_sign(const SignatureChain& chain, std::string_view sha256_hex) {
  return head("AWS4-HMAC-SHA256-PAYLOAD", chain)
      .append("\n")
      .append(sha256_of_nothing)
      .append("\n")
      .append(sha256_hex);
}

std::string trailer_string_to_sign(const SignatureChain& chain, std::string_view sha256_hex) {
  return head("AWS4-HMAC-SHA256-TRAILER", chain).append("\n").append(sha256_hex);
}

}  // namespace waybill::object
