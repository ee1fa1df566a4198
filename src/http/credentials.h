#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/message.h"

namespace waybill::http {

// What a request claims about who signed it, how and when. Checked for form only.
//
// The views point into the request, or into this object where the query form needed decoding; so it does not
// move.
struct Credentials {
  Credentials() = default;
  Credentials(const Credentials&) = delete;
  Credentials& operator=(const Credentials&) = delete;

  bool presigned = false;       // from the query
  std::string_view credential;  // key id/date/region/service/terminator
  std::string_view key_id;
  std::string_view date;
  std::string_view region;
  std::string_view service;
  std::string_view terminator;
  std::string_view scope;  // credential without the key id
  std::string_view signed_headers;
  std::string_view signature;
  std::string time;  // as it is signed: "20150830T123600Z"
  int64_t time_seconds = 0;
  int64_t expires_seconds = 0;  // of the query form

  std::string decoded_credential;
  std::string decoded_signed_headers;
  std::string decoded_signature;
};

// Reads the credentials of a request. Errors: missing_authentication where there are none,
// incomplete_signature where parts are missing, invalid_signature where they contradict each other.
Status read_credentials(const Request& request, Credentials& credentials);

// The service that a request's credential is scoped to ("s3"), without any check; empty where there is none.
std::string claimed_service(const Request& request);

// The key id a request names, without any check; empty where there is none.
std::string claimed_key_id(const Request& request);

}  // namespace waybill::http
