#include "client/arrival_check.h"

#include "base/bytes.h"

namespace waybill::client {
namespace {

constexpr std::size_t md5_digits = 32;

using Algorithm = object::ChecksumAlgorithm;
constexpr Algorithm by_cost[] = {Algorithm::crc32c, Algorithm::crc32, Algorithm::crc64nvme, Algorithm::sha1,
                                 Algorithm::sha256};

Error damaged(std::string_view what) {
  return Error{
      ErrorKind::bad_digest, "the object arrived damaged: its " + std::string(what) + " is another", {}};
}

bool is_md5(std::string_view etag) {
  return etag.size() == md5_digits && etag.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// An ETag is the MD5 only of what was stored in one piece and is not encrypted with a key of KMS or of the
// client.
bool tells_md5(const http::ClientAnswer& answer) {
  const auto encryption = answer.header("x-amz-server-side-encryption");
  return (encryption.empty() || encryption == "AES256") &&
         answer.header("x-amz-server-side-encryption-customer-algorithm").empty();
}

}  // namespace

ArrivalCheck::ArrivalCheck(const http::ClientAnswer& head) {
  for (const auto algorithm : by_cost) {
    const auto told = head.header(object::header_of(algorithm));
    // "…-3" is a checksum of the checksums of three parts.
    if (!told.empty() && told.find('-') == std::string_view::npos) {
      checksum_.emplace(algorithm);
      expected_ = told;
      return;
    }
  }
  auto etag = head.header("etag");
  if (etag.size() > 1 && etag.front() == '"') {
    etag = etag.substr(1, etag.size() - 2);
  }
  if (is_md5(etag) && tells_md5(head)) {
    md5_.emplace(object::HashKind::md5);
    expected_ = etag;
  }
}

void ArrivalCheck::add(std::string_view bytes) {
  if (checksum_) {
    checksum_->add(bytes);
  } else if (md5_) {
    md5_->add(bytes);
  }
}

Status ArrivalCheck::finish() {
  if (checksum_ && object::text_of(checksum_->finish()) != expected_) {
    return damaged(object::name_of(checksum_->algorithm()));
  }
  if (md5_ && hex_lower(md5_->take()) != expected_) {
    return damaged("MD5");
  }
  return {};
}

}  // namespace waybill::client
