#pragma once

#include <cstdint>

#include "base/result.h"
#include "item/value.h"
#include "table/table.h"

// What a table asks of keys and items. Pure; errors are of kind invalid and carry the service's texts.
namespace waybill::table {

inline constexpr uint32_t item_bytes_max = 400 * 1024;
inline constexpr uint32_t partition_key_bytes_max = 2048;
inline constexpr uint32_t sort_key_bytes_max = 1024;

// How an item came to be; the service's words for what is wrong with it differ.
enum class Change : unsigned char { put, update };

// A Key of a request: exactly the key attributes, with the right types, not empty, not too long.
Status check_key(const Table& table, item::ItemView key);

// The key attributes of an item that is to be put.
Status check_item_key(const Table& table, item::ItemView item);

// One value of a key: not empty, not too long. `key` is the attribute of the schema that it stands for.
Status check_key_value(const KeySchema& schema, const KeyAttribute& key, item::ValueView value);

// The attributes that are keys of an index, where the item has them. Of several faults the one of the index
// whose name comes first is told.
Status check_index_keys(const Table& table, item::ItemView item, Change change);

// The size by the service's counting.
Status check_item_size(uint32_t size_bytes, Change change);

// All of the above for an item as it would be stored. Its primary key is right already where it comes from
// an update.
Status check_item(const Table& table, item::ItemView item, uint32_t size_bytes, Change change);

}  // namespace waybill::table
