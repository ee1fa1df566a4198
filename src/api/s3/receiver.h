#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/s3/content_plan.h"
#include "bucket/buckets.h"
#include "object/aws_chunked.h"
#include "object/content_writer.h"
#include "object/hash.h"

namespace waybill::api::s3 {

// Takes a body apart and into a content, and holds it against all that its head said: length, hashes, and the
// signature of each chunk. Nothing is left of one that is given up.
//
// Thread safety: one thread at a time. May block.
class Receiver {
 public:
  Receiver(bucket::Buckets& buckets, ContentPlan plan, std::optional<http::VerifiedHead::Chain> chain);

  Status take(std::string_view bytes);

  // The body is over.
  Result<object::StoredContent> finish();

 private:
  Status begin();
  Status append(std::string_view content);
  Status verify(const object::SignedPiece& piece);
  Status take_trailers();
  Status check_sha256();

  bucket::Buckets& buckets_;
  ContentPlan plan_;
  std::optional<http::VerifiedHead::Chain> chain_;
  std::optional<object::ContentWriter> writer_;
  std::optional<object::AwsChunkedDecoder> decoder_;
  object::Hash sha256_{object::HashKind::sha256};
};

}  // namespace waybill::api::s3
