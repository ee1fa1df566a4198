#include "engine/queues/rows.h"

#include "base/bytes.h"
#include "base/check.h"

namespace waybill::engine::queues {
namespace {

constexpr char message_kind = 'L';
constexpr char delayed_kind = 'D';
constexpr char delivery_kind = 'S';
constexpr char group_kind = 'G';
constexpr char line_kind = 'H';
constexpr std::size_t prefix_bytes = sizeof(queue::SpaceId) + 1;
constexpr std::size_t number_bytes = sizeof(uint64_t);
constexpr std::size_t group_bytes_max = 255;
constexpr std::size_t head_bytes = 2 * number_bytes;

std::string begin_key(queue::SpaceId space, char kind, std::size_t more_bytes) {
  std::string key;
  key.reserve(prefix_bytes + more_bytes);
  append_u32_be(key, space);
  key.push_back(kind);
  return key;
}

std::string end_of(queue::SpaceId space, char kind) {
  return begin_key(space, static_cast<char>(kind + 1), 0);
}

void append_group(std::string& out, std::string_view group) {
  WAYBILL_CHECK(group.size() <= group_bytes_max);
  out.push_back(static_cast<char>(group.size()));
  out.append(group);
}

std::string_view take_group(std::string_view& bytes) {
  const auto size = static_cast<unsigned char>(bytes.front());
  const auto group = bytes.substr(1, size);
  bytes.remove_prefix(1 + group.size());
  return group;
}

void append_signed(std::string& out, int64_t value) {
  append_u64_be(out, static_cast<uint64_t>(value));
}

int64_t load_signed(const char* bytes) {
  return static_cast<int64_t>(load_u64_be(bytes));
}

void append_head(std::string& out, const MessageHead& head) {
  append_signed(out, head.sent_ms);
  append_signed(out, head.kept_from_ms);
}

MessageHead take_head(std::string_view& bytes) {
  const MessageHead head{load_signed(bytes.data()), load_signed(bytes.data() + number_bytes)};
  bytes.remove_prefix(head_bytes);
  return head;
}

}  // namespace

std::string message_key(queue::SpaceId space, std::string_view group, uint64_t sequence) {
  std::string key = begin_key(space, message_kind, 1 + group.size() + number_bytes);
  append_group(key, group);
  append_u64_be(key, sequence);
  return key;
}

std::string delayed_key(queue::SpaceId space, int64_t due_ms, uint64_t sequence) {
  std::string key = begin_key(space, delayed_kind, 2 * number_bytes);
  append_signed(key, due_ms);
  append_u64_be(key, sequence);
  return key;
}

std::string delivery_key(queue::SpaceId space, uint64_t sequence) {
  std::string key = begin_key(space, delivery_kind, number_bytes);
  append_u64_be(key, sequence);
  return key;
}

std::string group_key(queue::SpaceId space, std::string_view group) {
  std::string key = begin_key(space, group_kind, 1 + group.size());
  append_group(key, group);
  return key;
}

std::string line_key(queue::SpaceId space, uint64_t place) {
  std::string key = begin_key(space, line_kind, number_bytes);
  append_u64_be(key, place);
  return key;
}

std::string messages_begin(queue::SpaceId space) {
  return begin_key(space, message_kind, 0);
}
std::string messages_end(queue::SpaceId space) {
  return end_of(space, message_kind);
}
std::string delayed_begin(queue::SpaceId space) {
  return begin_key(space, delayed_kind, 0);
}
std::string delayed_end(queue::SpaceId space) {
  return end_of(space, delayed_kind);
}
std::string deliveries_begin(queue::SpaceId space) {
  return begin_key(space, delivery_kind, 0);
}
std::string deliveries_end(queue::SpaceId space) {
  return end_of(space, delivery_kind);
}
std::string line_end(queue::SpaceId space) {
  return end_of(space, line_kind);
}

uint64_t number_of(std::string_view key) {
  return load_u64_be(key.data() + key.size() - number_bytes);
}

int64_t due_of(std::string_view delayed_key) {
  return load_signed(delayed_key.data() + prefix_bytes);
}

std::string_view group_of(std::string_view message_key) {
  return message_key.substr(prefix_bytes + 1, message_key.size() - prefix_bytes - 1 - number_bytes);
}

std::string message_head(const MessageHead& head) {
  std::string bytes;
  append_head(bytes, head);
  return bytes;
}

MessageRow read_message_row(std::string_view bytes) {
  const auto head = take_head(bytes);
  return {head, bytes};
}

std::string delayed_row(const MessageHead& head, std::string_view group, std::string_view record) {
  std::string row;
  row.reserve(head_bytes + 1 + group.size() + record.size());
  append_head(row, head);
  append_group(row, group);
  row.append(record);
  return row;
}

DelayedRow read_delayed_row(std::string_view bytes) {
  const auto head = take_head(bytes);
  const auto group = take_group(bytes);
  return {head, group, bytes};
}

std::string delivery_row(const DeliveryRow& row) {
  std::string bytes;
  bytes.reserve(3 * number_bytes + sizeof(uint32_t) + 1 + row.group.size());
  append_signed(bytes, row.visible_ms);
  append_signed(bytes, row.first_received_ms);
  append_u64_be(bytes, row.token);
  append_u32_be(bytes, row.receive_count);
  append_group(bytes, row.group);
  return bytes;
}

DeliveryRow read_delivery_row(std::string_view bytes) {
  DeliveryRow row;
  row.visible_ms = load_signed(bytes.data());
  row.first_received_ms = load_signed(bytes.data() + number_bytes);
  row.token = load_u64_be(bytes.data() + 2 * number_bytes);
  row.receive_count = load_u32_be(bytes.data() + 3 * number_bytes);
  bytes.remove_prefix(3 * number_bytes + sizeof(uint32_t));
  row.group = take_group(bytes);
  return row;
}

std::string group_row(const GroupRow& row) {
  std::string bytes;
  append_u64_be(bytes, row.place);
  append_u64_be(bytes, row.first);
  return bytes;
}

GroupRow read_group_row(std::string_view bytes) {
  return {load_u64_be(bytes.data()), load_u64_be(bytes.data() + number_bytes)};
}

std::string counts_row(const Counts& counts) {
  std::string bytes;
  bytes.reserve(8 * number_bytes);
  for (const uint64_t value : {counts.waiting, counts.delayed, counts.first, counts.sent, counts.received,
                               counts.deleted, counts.dead_lettered, counts.expired}) {
    append_u64_be(bytes, value);
  }
  return bytes;
}

Counts read_counts_row(std::string_view bytes) {
  Counts counts;
  const char* at = bytes.data();
  for (uint64_t* value : {&counts.waiting, &counts.delayed, &counts.first, &counts.sent, &counts.received,
                          &counts.deleted, &counts.dead_lettered, &counts.expired}) {
    *value = load_u64_be(at);
    at += number_bytes;
  }
  return counts;
}

}  // namespace waybill::engine::queues
