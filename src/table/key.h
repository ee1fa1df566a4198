#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "item/value.h"
#include "table/table.h"

// Keys as bytes that sort as the service sorts items: partitions by a hash, within a partition by sort key.
//
//   primary   := partition sort?
//   entry     := partition sort? primary           of an index: the index's own key, then the item's
//   expiry    := seconds primary                   of the expiry index; seconds as big-endian u64
//   partition := hash len bytes                    hash: u32 of the bytes, so that a scan can be cut into
//                                                  segments of equal size; len: varint
//   sort      := escaped bytes 0x00 0x00           string and binary: 0x00 becomes 0x00 0xFF
//              | ordered number                    see item/number.h
// In the store each of them stands behind its space id (big-endian u32).
namespace waybill::table {

void append_partition(std::string& out, item::ValueView value);
void append_sort(std::string& out, item::ValueView value);

// The bytes with which every sort key begins whose string or binary begins with `bytes`.
void append_sort_prefix(std::string& out, std::string_view bytes);

// The primary key of an item that has the key attributes with the right types.
std::string primary_key(const KeySchema& schema, item::ItemView item);

// The bytes of the partition key's value with which such a key begins, a view into it; of a number in the
// form that sorts.
std::string_view partition_bytes(std::string_view key);

// What an item has under the names of an index's key attributes.
struct EntryKeyValues {
  std::optional<item::ValueView> partition;
  std::optional<item::ValueView> sort;
};
EntryKeyValues entry_key_values(const Index& index, item::ItemView item);
bool same_values(const EntryKeyValues& a, const EntryKeyValues& b);
// Whether an item with these values is in the index: it has all of them, with the right types.
bool has_entry(const Index& index, const EntryKeyValues& values);

// The key of this item's entry in the index; nullopt where the item lacks one of the index's key attributes
// or has it with another type: it is not in the index then.
std::optional<std::string> entry_key(const Index& index, item::ItemView item, std::string_view primary);
std::optional<std::string> entry_key(const Index& index, const EntryKeyValues& values,
                                     std::string_view primary);

// The primary key inside such an entry key; a view into it.
std::string_view primary_of_entry(const Index& index, std::string_view entry);

// The moment this item expires, in seconds since 1970; nullopt where its attribute is absent or no such time.
std::optional<int64_t> expiry_seconds(const TimeToLive& ttl, item::ItemView item);

// Whether the item counts as gone: its time has passed, by no more than five years.
bool is_expired(const TimeToLive& ttl, item::ItemView item, int64_t now_seconds);

// The least expiry that still counts: an item that expired more than five years ago is kept.
int64_t oldest_expiry(int64_t now_seconds);

std::string expiry_key(int64_t seconds, std::string_view primary);

std::string_view primary_of_expiry(std::string_view expiry);

// Whether entries of the index hold this attribute.
bool keeps_attribute(const Table& table, const Index& index, std::string_view name);

// The attributes that an index keeps of an item, encoded.
void append_projected(std::string& out, const Table& table, const Index& index, item::ItemView item);

// Names and values of the key attributes alone, in the form of an item: table keys for the table; for an
// index its own keys and the table's. This is what LastEvaluatedKey holds.
void append_key_attributes(std::string& out, const Table& table, const Index* index, item::ItemView item);

// The same for the key attributes of a schema alone.
void append_key_attributes(std::string& out, const KeySchema& key, item::ItemView item);

// The least byte string above all that begin with `prefix`; empty where there is none.
std::string after_prefix(std::string_view prefix);

// The hash at which segment `segment` of `total` begins, as the first bytes of a key; "" for segment 0.
std::string segment_begin(uint32_t segment, uint32_t total);

}  // namespace waybill::table
