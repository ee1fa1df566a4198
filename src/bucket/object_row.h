#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bucket/row.h"
#include "item/value.h"
#include "object/multipart.h"

namespace waybill::bucket {

// A checksum as it is told: Base64, with "-N" behind it where it is one of parts.
struct ToldChecksum {
  object::ChecksumAlgorithm algorithm = object::ChecksumAlgorithm::crc32;
  object::ChecksumType type = object::ChecksumType::full_object;
  std::string text;

  bool operator==(const ToldChecksum&) const = default;
};

// What a client says of an object besides its content.
struct Description {
  Texts headers;   // that come back with it, by names in lower case: "content-type", "cache-control" …
  Texts metadata;  // of x-amz-meta-, without that

  std::string content_type() const;  // "": nobody said
};

// A row of rules::objects_table:
//   bucket S, key S, content S, bytes N, etag S, modified N milliseconds, expires N seconds,
//   headers M, metadata M, checksum S, checksum_algorithm S, checksum_type S, parts S
struct ObjectRow {
  std::string bucket;
  std::string key;
  std::string content;  // object::ContentId
  uint64_t bytes = 0;
  std::string etag;  // without quotes
  int64_t modified_ms = 0;
  std::optional<int64_t> expires_s;
  Description description;
  std::optional<ToldChecksum> checksum;
  std::string part_sizes;  // "8388608*12,517": of an object that came in parts, see part_sizes.h
};

item::Item encode(const ObjectRow& row);
item::Item key_of_object(std::string_view bucket, std::string_view key);
ObjectRow read_object_row(item::ItemView row);

// For rows that have them as well.
void add_description(item::Item& row, const Description& description);
Description read_description(item::ItemView row);
void add_checksum(item::Item& row, const std::optional<ToldChecksum>& checksum);
std::optional<ToldChecksum> read_checksum(item::ItemView row);

}  // namespace waybill::bucket
