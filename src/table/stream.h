#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "table/change_place.h"
#include "table/table.h"

// A stream: what a table's change log shows to clients of the Streams API between two moments.
namespace waybill::table {

inline constexpr int64_t stream_retention_ms = int64_t{24} * 60 * 60 * 1000;
// The service closes a shard after about four hours and opens its successor.
inline constexpr int64_t shard_life_ms = int64_t{4} * 60 * 60 * 1000;

struct Stream {
  std::string table_name;
  std::string label;  // when it was switched on; names the stream together with the table
  StreamView view = StreamView::keys_only;
  KeySchema key;                   // of the table
  SpaceId log = 0;                 // the change log of the table
  ChangePlace begin;               // changes from here on …
  std::optional<ChangePlace> end;  // … up to, not including, this one; nullopt: it is still on
};

using StreamPtr = std::shared_ptr<const Stream>;

// The part of a stream between two moments. One is open at a time; each is the child of the one before.
struct Shard {
  int64_t number = 0;  // of the stream, from 0
  ChangePlace begin;
  ChangePlace end;  // not included
};

// Shard `number` of the stream. Shards are not stored: they follow from when the stream began.
Shard shard_of(const Stream& stream, int64_t number);

// The numbers of the shards of which something may still be read at `now_ms`: first to last, both included.
struct ShardNumbers {
  int64_t first = 0;
  int64_t last = 0;
};
ShardNumbers readable_shards(const Stream& stream, int64_t now_ms);

// "shardId-00000001731742800123-00000042": the moment of its begin, and its number.
std::string shard_id(const Stream& stream, int64_t number);
// The number of the shard of that name; nullopt for a name that is no shard of this stream.
std::optional<int64_t> shard_number(const Stream& stream, std::string_view id);

// 28 digits that order as the places do.
std::string sequence_number(const ChangePlace& place);
std::optional<ChangePlace> parse_sequence_number(std::string_view digits);

// "KEYS_ONLY", "NEW_IMAGE" … and back.
std::string_view name_of(StreamView view);
std::optional<StreamView> stream_view_of(std::string_view name);

// The label of a stream that begins at this moment: 2026-11-16T07:00:00.123
std::string stream_label(int64_t ms);

std::string serialize(const Stream& stream);
Result<Stream> deserialize_stream(std::string_view text);

}  // namespace waybill::table
