#include "api/s3/content_plan.h"

#include <algorithm>
#include <charconv>

#include "base/bytes.h"
#include "bucket/errors.h"
#include "http/sha256.h"
#include "object/checksum.h"
#include "object/hash.h"

namespace waybill::api::s3 {
namespace {

using object::ChecksumAlgorithm;

bool is_digest(std::string_view text) {
  return text.size() == 64 &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// What is neither would be signed and never looked at.
Status check_declared(std::string_view declared) {
  if (declared.empty() || declared == "UNSIGNED-PAYLOAD" || is_digest(declared) ||
      object::framing_of(declared)) {
    return {};
  }
  return bucket::refusal(
      "InvalidArgument",
      "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-UNSIGNED-PAYLOAD-TRAILER, "
      "STREAMING-AWS4-HMAC-SHA256-PAYLOAD, STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER, or a "
      "SHA-256 in lower-case hexadecimal digits.");
}

std::optional<uint64_t> length_in(const std::string& text) {
  uint64_t length = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), length);
  return failure == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(length)
                                                                                     : std::nullopt;
}

std::string lower_trimmed(std::string_view text) {
  std::string made;
  for (const char c : text) {
    if (c != ' ') {
      made += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  return made;
}

std::vector<std::string> trailer_names(const Request& request) {
  std::vector<std::string> names;
  std::string rest = lower_trimmed(request.header("x-amz-trailer"));
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    names.push_back(rest.substr(0, comma));
    rest.erase(0, comma == std::string::npos ? rest.size() : comma + 1);
  }
  return names;
}

Status read_framing(const Request& request, const std::string& declared, ContentPlan& plan) {
  const auto framing = object::framing_of(declared);
  WAYBILL_TRY(check_declared(declared));
  if (!framing) {
    plan.sha256 = is_digest(declared) ? std::optional(declared) : std::nullopt;
    plan.expected.bytes = length_in(request.header("content-length"));
    return {};
  }
  const auto length = length_in(request.header("x-amz-decoded-content-length"));
  if (!length) {
    return bucket::refusal("MissingContentLength",
                           "You must provide the x-amz-decoded-content-length HTTP header.");
  }
  plan.expected.bytes = length;
  plan.framing = object::AwsChunkedDecoder::Options{*framing, *length, trailer_names(request)};
  return {};
}

void want(ContentPlan& plan, ChecksumAlgorithm algorithm) {
  auto& algorithms = plan.writer.algorithms;
  if (std::ranges::find(algorithms, algorithm) == algorithms.end()) {
    algorithms.push_back(algorithm);
  }
}

// Those whose values stand in the head, those that come behind the body, and those that are only asked for.
Status read_checksums(const Request& request, const BodyLimits& limits, ContentPlan& plan) {
  for (const auto algorithm : object::checksum_algorithms) {
    const auto& value = request.header(object::header_of(algorithm));
    if (value.empty()) {
      continue;
    }
    auto checksum = object::read_checksum(algorithm, value);
    if (!checksum) {
      return bucket::refusal(
          "InvalidRequest", "Value for " + std::string(object::header_of(algorithm)) + " header is invalid.");
    }
    plan.expected.checksums.push_back(*std::move(checksum));
    want(plan, algorithm);
  }
  if (plan.expected.checksums.size() > 1) {
    return bucket::refusal("InvalidRequest",
                           "Expecting a single x-amz-checksum- header. Multiple checksum "
                           "Types are not allowed.");
  }
  if (plan.framing) {
    for (const auto& name : plan.framing->trailer_names) {
      if (const auto algorithm = object::algorithm_of_header(name)) {
        want(plan, *algorithm);
      }
    }
  }
  if (const auto named = object::algorithm_named(request.header("x-amz-sdk-checksum-algorithm"))) {
    want(plan, *named);
  }
  if (plan.writer.algorithms.empty() && limits.algorithm) {
    want(plan, *limits.algorithm);
  }
  return {};
}

Result<std::optional<std::string>> content_md5(const Request& request) {
  if (!request.has_header("content-md5")) {
    return std::optional<std::string>();
  }
  auto md5 = object::read_content_md5(request.header("content-md5"));
  if (!md5) {
    return bucket::refusal("InvalidDigest", "The Content-MD5 you specified was invalid.");
  }
  return std::optional(*std::move(md5));
}

}  // namespace

Error sha256_mismatch() {
  return bucket::refusal("XAmzContentSHA256Mismatch",
                         "The provided 'x-amz-content-sha256' header does not match what was computed.");
}

Result<ContentPlan> plan_content(const Call& call, const BodyLimits& limits, ContentPlan::Finish finish) {
  const Request& request = call.request();
  ContentPlan plan;
  plan.finish = finish;
  plan.writer.bytes_max = limits.bytes_max;
  WAYBILL_TRY(read_framing(request, call.head().payload_hash, plan));
  WAYBILL_TRY(read_checksums(request, limits, plan));
  WAYBILL_TRY_ASSIGN(plan.expected.md5, content_md5(request));
  if (plan.expected.bytes && *plan.expected.bytes > limits.bytes_max) {
    return bucket::too_large(limits.bytes_max);
  }
  return plan;
}

Status check_whole_body(const Request& request, const http::VerifiedHead& head) {
  const std::string_view declared = head.payload_hash;
  WAYBILL_TRY(check_declared(declared));
  if (is_digest(declared) && declared != hex_lower(http::bytes_of(http::sha256(request.body)))) {
    return sha256_mismatch();
  }
  if (declared.starts_with("STREAMING-")) {
    return bucket::refusal("NotImplemented", "This operation does not take a body in chunks of its own.");
  }
  WAYBILL_TRY_ASSIGN(const auto md5, content_md5(request));
  if (md5 && *md5 != object::hash_of(object::HashKind::md5, request.body)) {
    return Error{ErrorKind::bad_digest, "The Content-MD5 you specified did not match what we received.",
                 "BadDigest"};
  }
  return {};
}

Status check_body_checksum(const Request& request) {
  for (const auto algorithm : object::checksum_algorithms) {
    const auto& value = request.header(object::header_of(algorithm));
    if (!value.empty() && value != object::text_of(object::checksum_of(algorithm, request.body))) {
      return Error{ErrorKind::bad_digest, "The checksum you specified did not match what we received.",
                   "BadDigest"};
    }
  }
  return {};
}

}  // namespace waybill::api::s3
