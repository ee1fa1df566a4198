#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/client.h"

namespace waybill::http {

// A key that requests to other servers are signed with.
struct SigningKey {
  std::string id;
  std::string secret;
  std::string session_token = {};  // "": it is a key for good
};

struct Signing {
  SigningKey key;
  std::string region;
  std::string service;       // "s3", "waybill"
  std::string payload_hash;  // SHA-256 of the body in hexadecimal digits; "": of the request's own `body`
  int64_t wall_seconds = 0;  // now
};

// Adds the headers of AWS Signature Version 4. All headers that begin with x-amz- are signed, and the host.
// For S3 the payload's hash goes along, as S3 wants it. Error invalid where the URL is none.
Status sign_request(ClientRequest& request, const Signing& signing);

}  // namespace waybill::http
