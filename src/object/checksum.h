#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "object/hash.h"

// The checksums that a client may ask for beside the MD5 of an object.
namespace waybill::object {

enum class ChecksumAlgorithm : unsigned char { crc32, crc32c, crc64nvme, sha1, sha256 };

inline constexpr ChecksumAlgorithm checksum_algorithms[] = {
    ChecksumAlgorithm::crc32, ChecksumAlgorithm::crc32c, ChecksumAlgorithm::crc64nvme,
    ChecksumAlgorithm::sha1, ChecksumAlgorithm::sha256};

// In the words of x-amz-sdk-checksum-algorithm: "CRC32C".
std::string_view name_of(ChecksumAlgorithm algorithm);
std::optional<ChecksumAlgorithm> algorithm_named(std::string_view name);

// "x-amz-checksum-crc32c"; the same text names a trailer. Looked up in lower case.
std::string_view header_of(ChecksumAlgorithm algorithm);
std::optional<ChecksumAlgorithm> algorithm_of_header(std::string_view lower_case_name);

// How many bytes a checksum has.
std::size_t size_of(ChecksumAlgorithm algorithm);

struct Checksum {
  ChecksumAlgorithm algorithm = ChecksumAlgorithm::crc32;
  std::string bytes;  // of a CRC: big-endian

  bool operator==(const Checksum&) const = default;
};

// Base64, as headers have it.
std::string text_of(const Checksum& checksum);

// Error invalid where the text is not Base64, or of another length than the algorithm's checksums.
Result<Checksum> read_checksum(ChecksumAlgorithm algorithm, std::string_view text);

// The value of Content-MD5: 16 bytes from Base64. Error invalid for anything else.
Result<std::string> read_content_md5(std::string_view text);

// A checksum in the making.
//
// Thread safety: one thread at a time.
class RunningChecksum {
 public:
  explicit RunningChecksum(ChecksumAlgorithm algorithm);

  ChecksumAlgorithm algorithm() const { return algorithm_; }
  void add(std::string_view bytes);

  // Of all that was added; nothing may be added from here on.
  Checksum finish();

 private:
  ChecksumAlgorithm algorithm_;
  std::variant<uint64_t, Hash> state_;  // a CRC so far, or a hash
};

Checksum checksum_of(ChecksumAlgorithm algorithm, std::string_view bytes);

}  // namespace waybill::object
