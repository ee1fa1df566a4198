#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bucket/object_row.h"
#include "item/value.h"
#include "object/multipart.h"

namespace waybill::bucket {

// The checksum that an upload in parts asks for.
struct AskedChecksum {
  object::ChecksumAlgorithm algorithm = object::ChecksumAlgorithm::crc32;
  object::ChecksumType type = object::ChecksumType::full_object;

  bool operator==(const AskedChecksum&) const = default;
};

// A row of rules::uploads_table:
//   bucket S, place S, key S, id S, initiated N milliseconds, expires N seconds, headers M, metadata M,
//   checksum_algorithm S, checksum_type S
// The place is the key, a NUL, and the id: uploads stand by key, and those of one key by their age.
struct UploadRow {
  std::string bucket;
  std::string key;
  std::string id;
  int64_t initiated_ms = 0;
  int64_t expires_s = 0;
  Description description;
  std::optional<AskedChecksum> checksum;
};

item::Item encode(const UploadRow& row);
item::Item key_of_upload(std::string_view bucket, std::string_view key, std::string_view id);
UploadRow read_upload_row(item::ItemView row);

// A row of rules::parts_table:
//   upload S, number N, content S, bytes N, md5 S hex, modified N milliseconds, checksum S and its like
struct PartRow {
  std::string upload;
  int number = 0;
  std::string content;
  uint64_t bytes = 0;
  std::string md5;  // in hex: the part's ETag
  int64_t modified_ms = 0;
  std::optional<ToldChecksum> checksum;
};

item::Item encode(const PartRow& row);
item::Item key_of_part(std::string_view upload, int number);
PartRow read_part_row(item::ItemView row);

}  // namespace waybill::bucket
