#pragma once

#include <string>
#include <string_view>

#include "http/canonical_request.h"
#include "http/message.h"
#include "http/sha256.h"

namespace waybill::http {

// date/region/service, the parts of a credential scope that the signing key is made from.
struct SigningScope {
  std::string_view date;  // "20150830"
  std::string_view region;
  std::string_view service;
};

HmacKey derive_signing_key(std::string_view secret, const SigningScope& scope);

// The signature over a request. `time` as "20150830T123600Z", `scope` as "date/region/service/aws4_request".
Digest signature_of(const Request& request, const CanonicalForm& form, std::string_view time,
                    std::string_view scope, const HmacKey& key);

}  // namespace waybill::http
