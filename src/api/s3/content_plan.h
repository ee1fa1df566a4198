#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/s3/call.h"
#include "object/aws_chunked.h"
#include "object/content_writer.h"

// How a body becomes a content: decided when the head of a request is there.
namespace waybill::api::s3 {

struct ContentPlan {
  object::WriterOptions writer;
  object::Expected expected;                                  // as far as the head says it
  std::optional<std::string> sha256;                          // in hexadecimal: of the body
  std::optional<object::AwsChunkedDecoder::Options> framing;  // the body has S3's own chunks
  // What becomes of the content once it is whole.
  using Finish = void (*)(Call call, const object::StoredContent& content);
  Finish finish = nullptr;
};

struct BodyLimits {
  uint64_t bytes_max = 0;
  // What is computed where the request names none; absent: nothing.
  std::optional<object::ChecksumAlgorithm> algorithm = {};
};

// From the headers of the request: lengths, checksums, framing. Error invalid where they contradict each
// other; too_large where the length says so.
Result<ContentPlan> plan_content(const Call& call, const BodyLimits& limits, ContentPlan::Finish finish);

// Of a request whose body is whole: Error where it is not what the head says of it.
Status check_whole_body(const Request& request, const http::VerifiedHead& head);
// The same for x-amz-checksum-…, which in some operations is not about the body.
Status check_body_checksum(const Request& request);

// The body is not the one whose hash was signed.
Error sha256_mismatch();

}  // namespace waybill::api::s3
