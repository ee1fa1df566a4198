#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "item/value.h"
#include "table/table.h"

// What stands where in RocksDB. Format version 3.
//
//   family "items"
//     space key -> record            space: of a table, big-endian u32; key: see table/key.h
//     record := 0x01 size item       size: the item's bytes by the service's counting, a varint;
//                                    item: see item/value.h
//   family "entries"
//     space key -> record            space: of an index. Entries of an expiry index are empty, and so are
//                                    those of an index that keeps all attributes: the item is read from
//                                    its table
//   family "changes"
//     log time number -> entry       log: space of a table's change log; time in ms, number of the change:
//                                    big-endian u64; entry: see change_log.h
//   family "backups"
//     space key -> record            space: of a backup; key and record as in its table
//   family "usage"
//     space minute -> record         space: of a table or an index; minute since 1970, big-endian u32;
//                                    record: see usage/minute.h
//   families "messages" and "deliveries": see queues/rows.h
//   family "tokens"
//     bucket token -> fingerprint    bucket: big-endian u32, minutes since 1970 / 10
//   family "default" (meta)
//     "format"         -> "4"
//     "commit"         -> number of the last commit, big-endian u64
//     "next_space"     -> big-endian u32
//     "table/" name    -> description, JSON (table::serialize)
//     "stats/" space   -> items bytes, two big-endian u64
//     "backfill/" space -> key of the table up to which the index is filled
//     "last_change"    -> time and number of the last change that was written down, two big-endian u64
//     "stream/" table "/" label -> description, JSON (table::serialize)
//     "backup/" id     -> description, JSON (table::serialize)
//     "queue/" name    -> description, JSON (queue::serialize)
//     "queue_counts/" space -> queues::Counts
//     "counter/" name  -> big-endian i64; see Store::counter
//     "counted/" commit -> counters that the commit, big-endian u64, has changed: see counters.h; each
//                       length u32, name, value i64, big-endian
//     "note/" name     -> JSON (table::serialize); the name is its owner's to choose
namespace waybill::engine::layout {

inline constexpr std::string_view format_key = "format";
inline constexpr std::string_view format_version = "4";
inline constexpr std::string_view format_before = "3";  // which lacks "counted/", and is read as well
inline constexpr std::string_view commit_key = "commit";
inline constexpr std::string_view next_space_key = "next_space";
inline constexpr std::string_view table_prefix = "table/";
inline constexpr std::string_view stats_prefix = "stats/";
inline constexpr std::string_view backfill_prefix = "backfill/";
inline constexpr std::string_view last_change_key = "last_change";
inline constexpr std::string_view stream_prefix = "stream/";
inline constexpr std::string_view backup_prefix = "backup/";
inline constexpr std::string_view note_prefix = "note/";
inline constexpr std::string_view counter_prefix = "counter/";
inline constexpr std::string_view commit_counters_prefix = "counted/";
inline constexpr std::string_view queue_prefix = "queue/";
inline constexpr std::string_view queue_counts_prefix = "queue_counts/";
inline constexpr char record_version = 1;

inline std::string full_key(table::SpaceId space, std::string_view key) {
  std::string full;
  full.reserve(sizeof(space) + key.size());
  append_u32_be(full, space);
  full.append(key);
  return full;
}

// The same without the heap, for keys of ordinary length.
class FullKey {
 public:
  FullKey(table::SpaceId space, std::string_view key) {
    const std::size_t size = sizeof(space) + key.size();
    char* bytes = small_.data();
    if (size > small_.size()) {
      large_.resize(size);
      bytes = large_.data();
    }
    store_u32_be(bytes, space);
    std::memcpy(bytes + sizeof(space), key.data(), key.size());
    view_ = {bytes, size};
  }
  FullKey(const FullKey&) = delete;
  FullKey& operator=(const FullKey&) = delete;

  std::string_view view() const { return view_; }

 private:
  std::array<char, 128> small_;
  std::string large_;
  std::string_view view_;
};

inline std::string space_key(std::string_view prefix, table::SpaceId space) {
  std::string key(prefix);
  append_u32_be(key, space);
  return key;
}

inline std::string usage_key(table::SpaceId space, int64_t minute) {
  std::string key;
  append_u32_be(key, space);
  append_u32_be(key, static_cast<uint32_t>(minute));
  return key;
}

inline std::string table_key(std::string_view name) {
  return std::string(table_prefix).append(name);
}

// Names a stream among all.
inline std::string stream_id(std::string_view table_name, std::string_view label) {
  return std::string(table_name).append("/").append(label);
}

inline std::string u64_value(uint64_t value) {
  std::string bytes;
  append_u64_be(bytes, value);
  return bytes;
}

struct Record {
  uint32_t size_bytes = 0;
  item::ItemView item;
};

// The bytes in front of an item in its record.
class RecordHead {
 public:
  explicit RecordHead(uint32_t size_bytes) {
    bytes_[length_++] = record_version;
    for (; size_bytes >= 0x80; size_bytes >>= 7) {
      bytes_[length_++] = static_cast<char>(size_bytes | 0x80);
    }
    bytes_[length_++] = static_cast<char>(size_bytes);
  }
  std::string_view view() const { return {bytes_.data(), length_}; }

 private:
  std::array<char, 6> bytes_;
  std::size_t length_ = 0;
};

inline Record read_record(std::string_view bytes) {
  const char* at = bytes.data() + 1;
  const uint32_t size = read_varint(at);
  const auto head = static_cast<std::size_t>(at - bytes.data());
  return {size, item::ItemView(bytes.substr(head))};
}

}  // namespace waybill::engine::layout
