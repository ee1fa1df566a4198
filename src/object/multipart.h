#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "object/checksum.h"

// What S3 says of an object that was sent in parts, from what is known of each part.
namespace waybill::object {

inline constexpr int part_number_max = 10'000;
inline constexpr uint64_t part_bytes_min = 5 * 1024 * 1024;  // of all but the last
inline constexpr uint64_t part_bytes_max = 5ULL * 1024 * 1024 * 1024;
inline constexpr uint64_t object_bytes_max = 5ULL * 1024 * 1024 * 1024 * 1024;

// A checksum of a whole object is that of all its bytes, or one of its parts' checksums.
enum class ChecksumType : unsigned char { full_object, composite };

// In the words of x-amz-checksum-type: "FULL_OBJECT", "COMPOSITE".
std::string_view name_of(ChecksumType type);
std::optional<ChecksumType> type_named(std::string_view name);

// SHA-1 and SHA-256 cannot be put together from those of parts, and CRC64NVME has no composite form.
bool is_allowed(ChecksumAlgorithm algorithm, ChecksumType type);

// What an upload gets that names an algorithm and no type.
ChecksumType default_type(ChecksumAlgorithm algorithm);

// The ETag, without its quotes: MD5 of the parts' MD5s (16 bytes each), "-", and how many there are.
std::string multipart_etag(std::span<const std::string> part_md5s);

struct PartChecksum {
  uint64_t bytes = 0;    // how long the part is
  std::string checksum;  // as Checksum::bytes
};

// The checksum as the service writes it: Base64, and "-N" behind it where it is composite. Error invalid
// where the algorithm has no such type, or a part's checksum is not one of the algorithm's.
Result<std::string> object_checksum(ChecksumAlgorithm algorithm, ChecksumType type,
                                    std::span<const PartChecksum> parts);

}  // namespace waybill::object
