#include "object/content_writer.h"

#include <algorithm>

namespace waybill::object {
namespace {

Error bad_digest(std::string_view what) {
  return {
      ErrorKind::bad_digest,
      "The " + std::string(what) + " you specified did not match what we received. Send the content again.",
      {}};
}

Error wrong_length(uint64_t expected, uint64_t received) {
  return {ErrorKind::incomplete_body,
          "You did not provide the number of bytes specified by the Content-Length HTTP header: " +
              std::to_string(expected) + " were expected, " + std::to_string(received) + " came.",
          {}};
}

}  // namespace

Result<ContentWriter> ContentWriter::begin(ContentPlace& place, const WriterOptions& options) {
  WAYBILL_TRY_ASSIGN(auto incoming, place.create());
  return ContentWriter(std::move(incoming), options);
}

ContentWriter::ContentWriter(std::unique_ptr<IncomingContent> incoming, const WriterOptions& options)
    : incoming_(std::move(incoming)), bytes_max_(options.bytes_max) {
  running_.reserve(options.algorithms.size());
  for (const auto algorithm : options.algorithms) {
    running_.emplace_back(algorithm);
  }
}

Status ContentWriter::append(std::string_view bytes) {
  if (!failure_) {
    if (auto appended = append_now(bytes); !appended) {
      failure_ = std::move(appended).error();
    }
  }
  return failure_ ? Status(*failure_) : Status();
}

Status ContentWriter::append_now(std::string_view bytes) {
  if (bytes.size() > bytes_max_ - bytes_) {
    return Error{
        ErrorKind::too_large,
        "Your proposed upload exceeds the maximum allowed size of " + std::to_string(bytes_max_) + " bytes.",
        {}};
  }
  // By blocks, so that what was just read for one sum is in the processor's cache for the next.
  while (!bytes.empty()) {
    const auto piece = bytes.substr(0, block_bytes);
    md5_.add(piece);
    for (auto& checksum : running_) {
      checksum.add(piece);
    }
    sums_.add(piece);
    WAYBILL_TRY(incoming_->append(piece));
    bytes_ += piece.size();
    bytes.remove_prefix(piece.size());
  }
  return {};
}

Result<StoredContent> ContentWriter::commit(const Expected& expected) {
  if (failure_) {
    return *failure_;
  }
  auto stored = commit_now(expected);
  failure_ = stored ? Error{ErrorKind::internal, "The content is committed already.", {}} : stored.error();
  return stored;
}

Result<StoredContent> ContentWriter::commit_now(const Expected& expected) {
  std::string md5 = md5_.take();
  std::vector<Checksum> checksums(running_.size());
  std::transform(running_.begin(), running_.end(), checksums.begin(),
                 [](RunningChecksum& running) { return running.finish(); });
  WAYBILL_TRY(check(expected, md5, checksums));
  BlockMap map;
  map.add_segment(bytes_);
  WAYBILL_TRY(incoming_->append(sums_.take()));
  WAYBILL_TRY(incoming_->append(encode_map(map)));
  WAYBILL_TRY_ASSIGN(auto id, incoming_->publish());
  return StoredContent{std::move(id), bytes_, std::move(md5), std::move(checksums)};
}

Status ContentWriter::check(const Expected& expected, std::string_view md5,
                            const std::vector<Checksum>& checksums) const {
  if (expected.bytes && *expected.bytes != bytes_) {
    return wrong_length(*expected.bytes, bytes_);
  }
  if (expected.md5 && *expected.md5 != md5) {
    return bad_digest("Content-MD5");
  }
  for (const auto& wanted : expected.checksums) {
    const auto computed = std::find_if(checksums.begin(), checksums.end(), [&](const Checksum& candidate) {
      return candidate.algorithm == wanted.algorithm;
    });
    if (computed == checksums.end()) {
      return invalid("The upload has a " + std::string(name_of(wanted.algorithm)) +
                     " checksum that it did not announce. Name it in x-amz-trailer or in a header.");
    }
    if (computed->bytes != wanted.bytes) {
      return bad_digest(name_of(wanted.algorithm));
    }
  }
  return {};
}

}  // namespace waybill::object
