#include "engine/change_log.h"

#include "engine/layout.h"

namespace waybill::engine::change_log {

namespace {

constexpr char entry_version = 1;
constexpr unsigned kind_mask = 0x03;

enum Flag : unsigned {
  flag_expired = 0x04,
  flag_streamed = 0x08,
  flag_keys = 0x10,
  flag_before = 0x20,
  flag_after = 0x40,
};

}  // namespace

std::string key(table::SpaceId log, const table::ChangePlace& place) {
  std::string bytes;
  bytes.reserve(sizeof(log) + 2 * sizeof(uint64_t));
  append_u32_be(bytes, log);
  append_u64_be(bytes, static_cast<uint64_t>(place.time_ms));
  append_u64_be(bytes, place.number);
  return bytes;
}

table::ChangePlace place_of(std::string_view key) {
  const char* const at = key.data() + sizeof(table::SpaceId);
  return {static_cast<int64_t>(load_u64_be(at)), load_u64_be(at + sizeof(uint64_t))};
}

Head::Head(const Entry& entry, bool has_after) {
  unsigned flags = static_cast<unsigned>(entry.kind);
  flags |= entry.expired ? flag_expired : 0U;
  flags |= entry.streamed ? flag_streamed : 0U;
  flags |= entry.keys ? flag_keys : 0U;
  flags |= entry.before ? flag_before : 0U;
  flags |= has_after ? flag_after : 0U;
  bytes_[length_++] = entry_version;
  bytes_[length_++] = static_cast<char>(flags);
  if (entry.keys) {
    append_varint(static_cast<uint32_t>(entry.keys->size()));
  }
  if (entry.before) {
    append_varint(static_cast<uint32_t>(entry.before->size()));
  }
}

void Head::append_varint(uint32_t value) {
  for (; value >= 0x80; value >>= 7) {
    bytes_[length_++] = static_cast<char>(value | 0x80);
  }
  bytes_[length_++] = static_cast<char>(value);
}

Entry read(std::string_view bytes) {
  const auto flags = static_cast<unsigned char>(bytes[1]);
  Entry entry;
  entry.kind = static_cast<store::ChangeKind>(flags & kind_mask);
  entry.expired = (flags & flag_expired) != 0;
  entry.streamed = (flags & flag_streamed) != 0;
  const char* at = bytes.data() + 2;
  const uint32_t keys_length = (flags & flag_keys) != 0 ? read_varint(at) : 0;
  const uint32_t before_length = (flags & flag_before) != 0 ? read_varint(at) : 0;
  std::string_view rest = bytes.substr(static_cast<std::size_t>(at - bytes.data()));
  const auto take = [&](std::size_t length) {
    const auto part = rest.substr(0, length);
    rest.remove_prefix(length);
    return part;
  };
  if ((flags & flag_keys) != 0) {
    entry.keys = take(keys_length);
  }
  if ((flags & flag_before) != 0) {
    entry.before = take(before_length);
  }
  if ((flags & flag_after) != 0) {
    entry.after = rest;
  }
  return entry;
}

}  // namespace waybill::engine::change_log
