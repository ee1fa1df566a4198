#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "item/value.h"

namespace waybill::bucket {

// What a contract lets into a bucket, and for how long.
struct Limits {
  std::optional<uint64_t> bytes_max;
  std::vector<std::string> types;  // media types; empty: any
  std::optional<int64_t> expires_s;

  bool operator==(const Limits&) const = default;
};

// A row of rules::buckets_table.
struct BucketRow {
  std::string name;
  int64_t created_ms = 0;
  std::string contract;  // that asks for it; "": nobody's but its maker's
  Limits limits;
};

item::Item encode(const BucketRow& row);
item::Item key_of_bucket(std::string_view name);
BucketRow read_bucket_row(item::ItemView row);

// Whether an object may come in, as far as that is known: its length may not be yet. Error too_large; or
// invalid, which names the types that are taken.
Status check_limits(const BucketRow& bucket, std::string_view content_type, std::optional<uint64_t> bytes);

}  // namespace waybill::bucket
