#include "api/s3/receiver.h"

#include <openssl/crypto.h>

#include <utility>

#include "base/bytes.h"
#include "bucket/errors.h"
#include "object/chunk_signature.h"

namespace waybill::api::s3 {

Receiver::Receiver(bucket::Buckets& buckets, ContentPlan plan, std::optional<http::VerifiedHead::Chain> chain)
    : buckets_(buckets), plan_(std::move(plan)), chain_(std::move(chain)) {}

Status Receiver::begin() {
  WAYBILL_TRY_ASSIGN(auto writer, buckets_.begin_content(plan_.writer));
  writer_.emplace(std::move(writer));
  if (plan_.framing) {
    decoder_.emplace(
        *plan_.framing, [this](std::string_view content) { return append(content); },
        [this](const object::SignedPiece& piece) { return verify(piece); });
  }
  return {};
}

Status Receiver::append(std::string_view content) {
  if (plan_.sha256) {
    sha256_.add(content);
  }
  auto appended = writer_->append(content);
  if (!appended && appended.error().kind == ErrorKind::too_large) {
    return bucket::too_large(plan_.writer.bytes_max);
  }
  return appended;
}

// Each signature covers the one before.
Status Receiver::verify(const object::SignedPiece& piece) {
  if (!chain_) {
    return {};
  }
  const object::SignatureChain chain{chain_->time, chain_->scope, chain_->signature};
  const std::string text = piece.kind == object::SignedPiece::Kind::chunk
                               ? object::chunk_string_to_sign(chain, piece.sha256_hex)
                               : object::trailer_string_to_sign(chain, piece.sha256_hex);
  const std::string expected = hex_lower(http::bytes_of(chain_->key.sign(text)));
  if (piece.signature.size() != expected.size() ||
      CRYPTO_memcmp(piece.signature.data(), expected.data(), expected.size()) != 0) {
    return Error{ErrorKind::invalid_signature,
                 "The chunk signature we calculated does not match the signature you provided.",
                 {}};
  }
  chain_->signature = expected;
  return {};
}

Status Receiver::take(std::string_view bytes) {
  if (!writer_) {
    WAYBILL_TRY(begin());
  }
  return decoder_ ? decoder_->feed(bytes) : append(bytes);
}

Status Receiver::take_trailers() {
  for (const auto& trailer : decoder_->trailers()) {
    if (const auto algorithm = object::algorithm_of_header(trailer.name)) {
      auto checksum = object::read_checksum(*algorithm, trailer.value);
      if (!checksum) {
        return bucket::refusal("InvalidRequest",
                               "Value for " + trailer.name + " trailing header is invalid.");
      }
      plan_.expected.checksums.push_back(*std::move(checksum));
    }
  }
  return {};
}

Status Receiver::check_sha256() {
  return !plan_.sha256 || hex_lower(sha256_.take()) == *plan_.sha256 ? Status() : sha256_mismatch();
}

Result<object::StoredContent> Receiver::finish() {
  if (!writer_) {
    WAYBILL_TRY(begin());
  }
  if (decoder_) {
    WAYBILL_TRY(decoder_->finish());
    WAYBILL_TRY(take_trailers());
  }
  WAYBILL_TRY(check_sha256());
  return writer_->commit(plan_.expected);
}

}  // namespace waybill::api::s3
