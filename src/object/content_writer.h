#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "object/block_format.h"
#include "object/checksum.h"
#include "object/content_id.h"
#include "object/content_place.h"

namespace waybill::object {

struct WriterOptions {
  uint64_t bytes_max = 0;                     // more than this is refused
  std::vector<ChecksumAlgorithm> algorithms;  // to be computed beside the MD5
};

// What the client said of its content, as far as it did. Known before the bytes or behind them, in trailers.
struct Expected {
  std::optional<uint64_t> bytes;
  std::optional<std::string> md5;   // 16 bytes
  std::vector<Checksum> checksums;  // of algorithms that the writer was begun with
};

// A content that is in its place.
struct StoredContent {
  ContentId id;
  uint64_t bytes = 0;
  std::string md5;                  // 16 bytes; the ETag of a whole object is its hex form
  std::vector<Checksum> checksums;  // in the order of WriterOptions::algorithms
};

// Takes one content in. Nothing of it can be seen before commit() has succeeded, and nothing is left of it
// where the writer ends without. May outlive the store.
//
// Errors: too_large behind bytes_max; incomplete_body and bad_digest where the content is not what was
// expected; unavailable where the disk is full, or where the place cannot be reached; internal where it
// failed. After an error every call gives it again.
//
// Thread safety: any thread, one at a time.
class ContentWriter {
 public:
  static Result<ContentWriter> begin(ContentPlace& place, const WriterOptions& options);

  Status append(std::string_view bytes);
  uint64_t bytes() const { return bytes_; }

  // Holds the content against what is expected, and brings it to disk and into its place. To be called once,
  // as the last.
  Result<StoredContent> commit(const Expected& expected = {});

 private:
  ContentWriter(std::unique_ptr<IncomingContent> incoming, const WriterOptions& options);

  Status append_now(std::string_view bytes);
  Status check(const Expected& expected, std::string_view md5, const std::vector<Checksum>& checksums) const;
  Result<StoredContent> commit_now(const Expected& expected);

  std::unique_ptr<IncomingContent> incoming_;
  uint64_t bytes_max_;
  uint64_t bytes_ = 0;
  Hash md5_{HashKind::md5};
  std::vector<RunningChecksum> running_;
  BlockSums sums_;
  std::optional<Error> failure_;
};

}  // namespace waybill::object
