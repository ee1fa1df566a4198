#include "http/signer.h"

#include "base/bytes.h"

namespace waybill::http {

HmacKey derive_signing_key(std::string_view secret, const SigningScope& scope) {
  const HmacKey for_secret("AWS4" + std::string(secret));
  const HmacKey for_date(bytes_of(for_secret.sign(scope.date)));
  const HmacKey for_region(bytes_of(for_date.sign(scope.region)));
  const HmacKey for_service(bytes_of(for_region.sign(scope.service)));
  return HmacKey(bytes_of(for_service.sign("aws4_request")));
}

Digest signature_of(const Request& request, const CanonicalForm& form, std::string_view time,
                    std::string_view scope, const HmacKey& key) {
  thread_local std::string text;  // its memory is kept from one request to the next
  text.clear();
  append_canonical_request(text, request, form);
  const std::string canonical_hash = hex_lower(bytes_of(sha256(text)));
  text.assign("AWS4-HMAC-SHA256\n")
      .append(time)
      .append("\n")
      .append(scope)
      .append("\n")
      .append(canonical_hash);
  return key.sign(text);
}

}  // namespace waybill::http
