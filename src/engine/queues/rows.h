#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "queue/queue.h"

// How queues stand in RocksDB; see also layout.h.
//
//   family "messages"
//     space 'L' group sequence -> head record         a message that waits or is in flight
//     space 'D' due sequence -> head group record     one that is delayed until `due` (ms)
//   family "deliveries"
//     space 'S' sequence -> delivery                  of a message that was received and not deleted since
//     space 'G' group -> place first                  a group that has messages; place 0: it is not in line
//     space 'H' place -> group                        the groups in line
//
// space: big-endian u32; sequence, due, place, first: big-endian u64; group: its length in one byte, and its
// text; record: queue::encode of the message.
namespace waybill::engine::queues {

// When a message was sent, and from when on its retention counts.
struct MessageHead {
  int64_t sent_ms = 0;
  int64_t kept_from_ms = 0;
};

struct MessageRow {
  MessageHead head;
  std::string_view record;
};

struct DelayedRow {
  MessageHead head;
  std::string_view group;
  std::string_view record;
};

// What the last receive of a message was.
struct DeliveryRow {
  int64_t visible_ms = 0;  // when it may be received again
  int64_t first_received_ms = 0;
  uint64_t token = 0;
  uint32_t receive_count = 0;
  std::string group;
};

struct GroupRow {
  uint64_t place = 0;  // in line; 0: it is not
  uint64_t first = 0;  // no message of the group stands before this sequence
};

std::string message_key(queue::SpaceId space, std::string_view group, uint64_t sequence);
std::string delayed_key(queue::SpaceId space, int64_t due_ms, uint64_t sequence);
std::string delivery_key(queue::SpaceId space, uint64_t sequence);
std::string group_key(queue::SpaceId space, std::string_view group);
std::string line_key(queue::SpaceId space, uint64_t place);

// Where the keys of one kind begin, and what all of them stand before.
std::string messages_begin(queue::SpaceId space);
std::string messages_end(queue::SpaceId space);
std::string delayed_begin(queue::SpaceId space);
std::string delayed_end(queue::SpaceId space);
std::string deliveries_begin(queue::SpaceId space);
std::string deliveries_end(queue::SpaceId space);
std::string line_end(queue::SpaceId space);

// The last eight bytes of every key that ends in a number.
uint64_t number_of(std::string_view key);
int64_t due_of(std::string_view delayed_key);
std::string_view group_of(std::string_view message_key);

// What stands before the record in a message's row.
std::string message_head(const MessageHead& head);
MessageRow read_message_row(std::string_view bytes);
std::string delayed_row(const MessageHead& head, std::string_view group, std::string_view record);
DelayedRow read_delayed_row(std::string_view bytes);
std::string delivery_row(const DeliveryRow& row);
DeliveryRow read_delivery_row(std::string_view bytes);
std::string group_row(const GroupRow& row);
GroupRow read_group_row(std::string_view bytes);

// What is counted of a queue, kept with every change of it.
struct Counts {
  uint64_t waiting = 0;  // messages that are not delayed, those in flight among them
  uint64_t delayed = 0;
  uint64_t first = 0;  // no message without a group stands before this sequence, but for those in flight
  uint64_t sent = 0;
  uint64_t received = 0;
  uint64_t deleted = 0;
  uint64_t dead_lettered = 0;
  uint64_t expired = 0;
};

std::string counts_row(const Counts& counts);
Counts read_counts_row(std::string_view bytes);

}  // namespace waybill::engine::queues
