#include "object/multipart.h"

#include "base/bytes.h"
#include "object/crc.h"

namespace waybill::object {
namespace {

uint64_t number_of(std::string_view big_endian) {
  uint64_t number = 0;
  for (const char c : big_endian) {
    number = number << 8 | static_cast<unsigned char>(c);
  }
  return number;
}

uint64_t combined(ChecksumAlgorithm algorithm, uint64_t first, uint64_t second, uint64_t second_bytes) {
  switch (algorithm) {
    case ChecksumAlgorithm::crc32:
      return combine_crc32(static_cast<uint32_t>(first), static_cast<uint32_t>(second), second_bytes);
    case ChecksumAlgorithm::crc32c:
      return combine_crc32c(static_cast<uint32_t>(first), static_cast<uint32_t>(second), second_bytes);
    default:
      return combine_crc64nvme(first, second, second_bytes);
  }
}

std::string full_object(ChecksumAlgorithm algorithm, std::span<const PartChecksum> parts) {
  uint64_t crc = 0;
  for (const auto& part : parts) {
    crc = combined(algorithm, crc, number_of(part.checksum), part.bytes);
  }
  std::string bytes;
  append_u64_be(bytes, crc);
  return text_of({algorithm, bytes.substr(bytes.size() - size_of(algorithm))});
}

std::string composite(ChecksumAlgorithm algorithm, std::span<const PartChecksum> parts) {
  RunningChecksum of_all(algorithm);
  for (const auto& part : parts) {
    of_all.add(part.checksum);
  }
  return text_of(of_all.finish()) + '-' + std::to_string(parts.size());
}

}  // namespace

std::string_view name_of(ChecksumType type) {
  return type == ChecksumType::full_object ? "FULL_OBJECT" : "COMPOSITE";
}

std::optional<ChecksumType> type_named(std::string_view name) {
  for (const auto type : {ChecksumType::full_object, ChecksumType::composite}) {
    if (name == name_of(type)) {
      return type;
    }
  }
  return std::nullopt;
}

bool is_allowed(ChecksumAlgorithm algorithm, ChecksumType type) {
  switch (algorithm) {
    case ChecksumAlgorithm::crc32:
    case ChecksumAlgorithm::crc32c:
      return true;
    case ChecksumAlgorithm::crc64nvme:
      return type == ChecksumType::full_object;
    default:
      return type == ChecksumType::composite;
  }
}

ChecksumType default_type(ChecksumAlgorithm algorithm) {
  return algorithm == ChecksumAlgorithm::crc64nvme ? ChecksumType::full_object : ChecksumType::composite;
}

std::string multipart_etag(std::span<const std::string> part_md5s) {
  Hash of_all(HashKind::md5);
  for (const auto& md5 : part_md5s) {
    of_all.add(md5);
  }
  return hex_lower(of_all.take()) + '-' + std::to_string(part_md5s.size());
}

Result<std::string> object_checksum(ChecksumAlgorithm algorithm, ChecksumType type,
                                    std::span<const PartChecksum> parts) {
  if (!is_allowed(algorithm, type)) {
    return invalid("The " + std::string(name_of(type)) + " checksum type cannot be used with the " +
                   std::string(name_of(algorithm)) + " checksum algorithm.");
  }
  for (const auto& part : parts) {
    if (part.checksum.size() != size_of(algorithm)) {
      return invalid("A part has no " + std::string(name_of(algorithm)) +
                     " checksum. Send every part with the algorithm that the upload was created with.");
    }
  }
  return type == ChecksumType::full_object ? full_object(algorithm, parts) : composite(algorithm, parts);
}

}  // namespace waybill::object
