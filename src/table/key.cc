#include "table/key.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "base/bytes.h"
#include "base/check.h"
#include "item/number.h"

namespace waybill::table {

namespace {

constexpr int64_t five_years_seconds = 5LL * 365 * 24 * 60 * 60;
constexpr std::size_t hash_bytes = 4;

void append_escaped(std::string& out, std::string_view bytes) {
  std::size_t from = 0;
  for (auto zero = bytes.find('\0'); zero != std::string_view::npos; zero = bytes.find('\0', from)) {
    out.append(bytes, from, zero - from);
    out.append("\x00\xff", 2);
    from = zero + 1;
  }
  out.append(bytes, from);
}

void append_number(std::string& out, item::ValueView value) {
  item::Decimal::append_ordered(out, value.bytes());
}

std::size_t partition_length(std::string_view key) {
  const char* at = key.data() + hash_bytes;
  const uint32_t length = read_varint(at);
  return static_cast<std::size_t>(at - key.data()) + length;
}

std::size_t sort_length(std::string_view sort, item::Type type) {
  if (type == item::Type::number) {
    const char* at = sort.data();
    item::Decimal::read_ordered(at);
    return static_cast<std::size_t>(at - sort.data());
  }
  std::size_t zero = sort.find('\0');
  while (sort[zero + 1] != '\0') {
    zero = sort.find('\0', zero + 2);
  }
  return zero + 2;
}

const item::ValueView* usable(const std::optional<item::ValueView>& value, const KeyAttribute& attribute) {
  if (!value || value->type() != attribute.type) {
    return nullptr;
  }
  return value->bytes().empty() ? nullptr : &*value;
}

}  // namespace

void append_partition(std::string& out, item::ValueView value) {
  std::string ordered;
  std::string_view bytes = value.bytes();
  if (value.type() == item::Type::number) {
    append_number(ordered, value);
    bytes = ordered;
  }
  append_u32_be(out, static_cast<uint32_t>(XXH3_64bits(bytes.data(), bytes.size())));
  append_varint(out, static_cast<uint32_t>(bytes.size()));
  out.append(bytes);
}

void append_sort(std::string& out, item::ValueView value) {
  if (value.type() == item::Type::number) {
    append_number(out, value);
    return;
  }
  append_escaped(out, value.bytes());
  out.append(2, '\0');
}

void append_sort_prefix(std::string& out, std::string_view bytes) {
  append_escaped(out, bytes);
}

std::string primary_key(const KeySchema& schema, item::ItemView item) {
  std::string key;
  const auto partition = item.find(schema.partition.name);
  WAYBILL_CHECK(partition.has_value());
  append_partition(key, *partition);
  if (schema.sort) {
    const auto sort = item.find(schema.sort->name);
    WAYBILL_CHECK(sort.has_value());
    append_sort(key, *sort);
  }
  return key;
}

std::string_view partition_bytes(std::string_view key) {
  const char* at = key.data() + sizeof(uint32_t);
  const uint32_t length = read_varint(at);
  return {at, length};
}

EntryKeyValues entry_key_values(const Index& index, item::ItemView item) {
  EntryKeyValues values;
  values.partition = item.find(index.key.partition.name);
  if (index.key.sort) {
    values.sort = item.find(index.key.sort->name);
  }
  return values;
}

bool same_values(const EntryKeyValues& a, const EntryKeyValues& b) {
  const auto same = [](const std::optional<item::ValueView>& x, const std::optional<item::ValueView>& y) {
    return x.has_value() == y.has_value() && (!x || x->encoded() == y->encoded());
  };
  return same(a.partition, b.partition) && same(a.sort, b.sort);
}

std::optional<std::string> entry_key(const Index& index, item::ItemView item, std::string_view primary) {
  return entry_key(index, entry_key_values(index, item), primary);
}

bool has_entry(const Index& index, const EntryKeyValues& values) {
  return usable(values.partition, index.key.partition) != nullptr &&
         (!index.key.sort || usable(values.sort, *index.key.sort) != nullptr);
}

std::optional<std::string> entry_key(const Index& index, const EntryKeyValues& values,
                                     std::string_view primary) {
  if (!has_entry(index, values)) {
    return std::nullopt;
  }
  constexpr std::size_t number_bytes_typical = 24;
  std::string key;
  key.reserve(values.partition->bytes().size() + number_bytes_typical +
              (values.sort ? values.sort->bytes().size() : 0) + primary.size());
  append_partition(key, *values.partition);
  if (index.key.sort) {
    append_sort(key, *values.sort);
  }
  key.append(primary);
  return key;
}

std::string_view primary_of_entry(const Index& index, std::string_view entry) {
  entry.remove_prefix(partition_length(entry));
  if (index.key.sort) {
    entry.remove_prefix(sort_length(entry, index.key.sort->type));
  }
  return entry;
}

std::optional<int64_t> expiry_seconds(const TimeToLive& ttl, item::ItemView item) {
  if (!ttl.enabled()) {
    return std::nullopt;
  }
  const auto value = item.find(ttl.attribute);
  if (!value || value->type() != item::Type::number) {
    return std::nullopt;
  }
  int64_t seconds = 0;
  if (!item::Decimal::from_normal(value->bytes()).to_int64(seconds) || seconds <= 0) {
    return std::nullopt;
  }
  return seconds;
}

int64_t oldest_expiry(int64_t now_seconds) {
  return std::max<int64_t>(now_seconds - five_years_seconds, 1);
}

bool is_expired(const TimeToLive& ttl, item::ItemView item, int64_t now_seconds) {
  const auto seconds = expiry_seconds(ttl, item);
  return seconds && *seconds <= now_seconds && *seconds >= oldest_expiry(now_seconds);
}

std::string expiry_key(int64_t seconds, std::string_view primary) {
  std::string key;
  append_u64_be(key, static_cast<uint64_t>(seconds));
  key.append(primary);
  return key;
}

std::string_view primary_of_expiry(std::string_view expiry) {
  return expiry.substr(sizeof(uint64_t));
}

bool keeps_attribute(const Table& table, const Index& index, std::string_view name) {
  if (index.projection.kind == ProjectionKind::all || index.key.has(name) || table.key.has(name)) {
    return true;
  }
  const auto& kept = index.projection.attributes;
  return std::find(kept.begin(), kept.end(), name) != kept.end();
}

void append_projected(std::string& out, const Table& table, const Index& index, item::ItemView item) {
  if (index.projection.kind == ProjectionKind::all) {
    out.append(item.encoded());
    return;
  }
  for (item::AttributeCursor cursor(item); cursor.next();) {
    if (keeps_attribute(table, index, cursor.name())) {
      out.append(cursor.encoded());
    }
  }
}

void append_key_attributes(std::string& out, const Table& table, const Index* index, item::ItemView item) {
  for (item::AttributeCursor cursor(item); cursor.next();) {
    if (table.key.has(cursor.name()) || (index != nullptr && index->key.has(cursor.name()))) {
      out.append(cursor.encoded());
    }
  }
}

void append_key_attributes(std::string& out, const KeySchema& key, item::ItemView item) {
  for (item::AttributeCursor cursor(item); cursor.next();) {
    if (key.has(cursor.name())) {
      out.append(cursor.encoded());
    }
  }
}

std::string after_prefix(std::string_view prefix) {
  std::string next(prefix);
  while (!next.empty()) {
    const auto last = static_cast<unsigned char>(next.back());
    if (last != 0xff) {
      next.back() = static_cast<char>(last + 1);
      return next;
    }
    next.pop_back();
  }
  return next;
}

std::string segment_begin(uint32_t segment, uint32_t total) {
  std::string begin;
  if (segment > 0) {
    // Rounded up, so that neighbouring segments meet and none is left out.
    const uint64_t from = ((uint64_t{segment} << 32) + total - 1) / total;
    append_u32_be(begin, static_cast<uint32_t>(from));
  }
  return begin;
}

}  // namespace waybill::table
