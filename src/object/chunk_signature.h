#pragma once

#include <string>
#include <string_view>

// What is signed of a body that comes in signed chunks: each signature covers the one before it, the first
// one that of the request.
namespace waybill::object {

// What all signatures of a request have in common, and the signature before.
struct SignatureChain {
  std::string_view date_time;  // of x-amz-date: "20130524T000000Z"
  std::string_view scope;      // "20130524/us-east-1/s3/aws4_request"
  std::string_view previous;   // 64 hexadecimal digits
};

// The text whose HMAC is a chunk's signature; `sha256_hex` is of the chunk's data.
std::string chunk_string_to_sign(const SignatureChain& chain, std::string_view sha256_hex);

// The same of the trailers; `sha256_hex` is of the trailers in canonical form.
std::string trailer_string_to_sign(const SignatureChain& chain, std::string_view sha256_hex);

}  // namespace waybill::object
