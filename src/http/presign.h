#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace waybill::http {

// Who signs a URL, for which server, and for how long.
struct Presigning {
  std::string endpoint;  // "http://127.0.0.1:8000", no slash at the end
  std::string key_id;
  std::string secret;
  std::string region = "us-east-1";
  int64_t wall_seconds = 0;       // now
  int64_t expires_seconds = 900;  // at most 604,800: a week
};

// A request on an object that a URL is to be good for.
struct PresignedRequest {
  std::string_view method = "GET";
  std::string_view bucket;
  std::string_view key;
};

// The URL by which whoever has it may make that one request to an object store until its time is over,
// without a key of their own: AWS Signature Version 4 in the query, path-style. The body is not signed.
std::string presigned_url(const Presigning& presigning, const PresignedRequest& wanted);

}  // namespace waybill::http
