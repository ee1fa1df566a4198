#include "object/checksum.h"

#include <array>

#include "base/bytes.h"
#include "object/crc.h"

namespace waybill::object {
namespace {

struct Facts {
  std::string_view name;
  std::string_view header;
  std::size_t bytes;
};

constexpr std::array<Facts, 5> facts{{{"CRC32", "x-amz-checksum-crc32", 4},
                                      {"CRC32C", "x-amz-checksum-crc32c", 4},
                                      {"CRC64NVME", "x-amz-checksum-crc64nvme", 8},
                                      {"SHA1", "x-amz-checksum-sha1", 20},
                                      {"SHA256", "x-amz-checksum-sha256", 32}}};

const Facts& facts_of(ChecksumAlgorithm algorithm) {
  return facts[static_cast<std::size_t>(algorithm)];
}

std::variant<uint64_t, Hash> initial_state(ChecksumAlgorithm algorithm) {
  switch (algorithm) {
    case ChecksumAlgorithm::sha1:
      return Hash(HashKind::sha1);
    case ChecksumAlgorithm::sha256:
      return Hash(HashKind::sha256);
    default:
      return uint64_t{0};
  }
}

uint64_t next_crc(ChecksumAlgorithm algorithm, uint64_t crc, std::string_view bytes) {
  switch (algorithm) {
    case ChecksumAlgorithm::crc32:
      return crc32(static_cast<uint32_t>(crc), bytes);
    case ChecksumAlgorithm::crc32c:
      return crc32c(static_cast<uint32_t>(crc), bytes);
    default:
      return crc64nvme(crc, bytes);
  }
}

}  // namespace

std::string_view name_of(ChecksumAlgorithm algorithm) {
  return facts_of(algorithm).name;
}

std::optional<ChecksumAlgorithm> algorithm_named(std::string_view name) {
  for (const auto algorithm : checksum_algorithms) {
    if (name == name_of(algorithm)) {
      return algorithm;
    }
  }
  return std::nullopt;
}

std::string_view header_of(ChecksumAlgorithm algorithm) {
  return facts_of(algorithm).header;
}

std::optional<ChecksumAlgorithm> algorithm_of_header(std::string_view lower_case_name) {
  for (const auto algorithm : checksum_algorithms) {
    if (lower_case_name == header_of(algorithm)) {
      return algorithm;
    }
  }
  return std::nullopt;
}

std::size_t size_of(ChecksumAlgorithm algorithm) {
  return facts_of(algorithm).bytes;
}

std::string text_of(const Checksum& checksum) {
  std::string text;
  append_base64(text, checksum.bytes);
  return text;
}

Result<Checksum> read_checksum(ChecksumAlgorithm algorithm, std::string_view text) {
  auto bytes = decode_base64(text);
  if (!bytes || bytes->size() != size_of(algorithm)) {
    return invalid("Value for " + std::string(header_of(algorithm)) + " header is invalid. It must be the " +
                   std::to_string(size_of(algorithm)) + " bytes of the checksum in Base64.");
  }
  return Checksum{algorithm, std::move(*bytes)};
}

Result<std::string> read_content_md5(std::string_view text) {
  constexpr std::size_t md5_bytes = 16;
  auto bytes = decode_base64(text);
  if (!bytes || bytes->size() != md5_bytes) {
    return invalid(
        "The Content-MD5 you specified is not valid. It must be the 16 bytes of an MD5 in Base64.");
  }
  return std::move(*bytes);
}

RunningChecksum::RunningChecksum(ChecksumAlgorithm algorithm)
    : algorithm_(algorithm), state_(initial_state(algorithm)) {}

void RunningChecksum::add(std::string_view bytes) {
  if (auto* hash = std::get_if<Hash>(&state_)) {
    return hash->add(bytes);
  }
  auto& crc = *std::get_if<uint64_t>(&state_);
  crc = next_crc(algorithm_, crc, bytes);
}

Checksum RunningChecksum::finish() {
  if (auto* hash = std::get_if<Hash>(&state_)) {
    return {algorithm_, hash->take()};
  }
  std::string bytes;
  append_u64_be(bytes, *std::get_if<uint64_t>(&state_));
  return {algorithm_, bytes.substr(bytes.size() - size_of(algorithm_))};
}

Checksum checksum_of(ChecksumAlgorithm algorithm, std::string_view bytes) {
  RunningChecksum running(algorithm);
  running.add(bytes);
  return running.finish();
}

}  // namespace waybill::object
