#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "table/stream.h"

namespace waybill::api::streams {

inline constexpr int64_t iterator_life_ms = 15 * 60 * 1000;

// Where a reader of a shard stands. Clients carry it around as a text they don't look into.
struct ShardIterator {
  std::string stream_arn;
  int64_t shard = 0;
  table::ChangePlace place;   // of the next change
  bool from_horizon = false;  // from the oldest change there is: nothing is missed where older ones go
  int64_t made_ms = 0;
};

// <arn>|1|<base64>
std::string to_text(const ShardIterator& iterator);
std::optional<ShardIterator> parse_iterator(std::string_view text);

}  // namespace waybill::api::streams
