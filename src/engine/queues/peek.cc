#include "engine/queues/peek.h"

#include <memory>
#include <utility>

#include "base/bytes.h"
#include "engine/queues/rows.h"

namespace waybill::engine::queues {
namespace {

using store::MessageState;
using store::Peeked;

// What the last receive of a message was. `snapshot` may be null.
Status add_delivery(const Database& database, queue::SpaceId space, const rocksdb::Snapshot* snapshot,
                    int64_t now_ms, Peeked& peeked) {
  rocksdb::ReadOptions options;
  options.snapshot = snapshot;
  rocksdb::PinnableSlice value;
  const auto status =
      database.db().Get(options, database.deliveries(), slice(delivery_key(space, peeked.sequence)), &value);
  if (status.IsNotFound()) {
    return {};
  }
  if (!status.ok()) {
    return to_error(status);
  }
  const DeliveryRow delivery = read_delivery_row(view(value));
  peeked.receive_count = delivery.receive_count;
  if (delivery.visible_ms > now_ms) {
    peeked.state = MessageState::in_flight;
    peeked.visible_ms = delivery.visible_ms;
  }
  return {};
}

// Reads rows of one moment.
class Look {
 public:
  Look(const Database& database, const queue::Queue& queue, const store::PeekRequest& request, int64_t now_ms)
      : database_(database),
        queue_(queue),
        request_(request),
        now_ms_(now_ms),
        snapshot_(database.db().GetSnapshot()) {}
  ~Look() { database_.db().ReleaseSnapshot(snapshot_); }
  Look(const Look&) = delete;
  Look& operator=(const Look&) = delete;

  // Rows of the family "messages" from `begin` up to `end`, as far as there is room.
  Status read(const std::string& begin, const std::string& end) {
    const rocksdb::Slice upper = slice(end);
    rocksdb::ReadOptions options;
    options.snapshot = snapshot_;
    options.iterate_upper_bound = &upper;
    const std::unique_ptr<rocksdb::Iterator> at(database_.db().NewIterator(options, database_.messages()));
    for (at->Seek(slice(begin)); at->Valid() && found_.size() < request_.count_max; at->Next()) {
      WAYBILL_TRY(take(view(at->key()), view(at->value())));
    }
    return at->status().ok() ? Status() : to_error(at->status());
  }

  std::vector<Peeked> found() && { return std::move(found_); }

 private:
  bool is_delayed(std::string_view key) const {
    return key >= delayed_begin(queue_.space) && key < delayed_end(queue_.space);
  }

  Status take(std::string_view key, std::string_view row) {
    Peeked peeked;
    peeked.sequence = number_of(key);
    append_base64(peeked.place, key);
    std::string_view record;
    if (is_delayed(key)) {
      const DelayedRow delayed = read_delayed_row(row);
      if (!request_.group.empty() && delayed.group != request_.group) {
        return {};
      }
      peeked.sent_ms = delayed.head.sent_ms;
      peeked.state = MessageState::delayed;
      peeked.visible_ms = due_of(key);
      record = delayed.record;
    } else {
      const MessageRow message = read_message_row(row);
      if (message.head.kept_from_ms + queue_.settings.retention_ms <= now_ms_) {
        return {};
      }
      peeked.sent_ms = message.head.sent_ms;
      record = message.record;
      WAYBILL_TRY(add_delivery(database_, queue_.space, snapshot_, now_ms_, peeked));
    }
    WAYBILL_TRY_ASSIGN(peeked.message, queue::decode_message(record));
    found_.push_back(std::move(peeked));
    return {};
  }

  const Database& database_;
  const queue::Queue& queue_;
  const store::PeekRequest& request_;
  const int64_t now_ms_;
  const rocksdb::Snapshot* const snapshot_;
  std::vector<Peeked> found_;
};

}  // namespace

Result<std::vector<Peeked>> peek(const Database& database, const queue::Queue& queue,
                                 const store::PeekRequest& request, int64_t now_ms) {
  std::string waiting_begin = messages_begin(queue.space);
  std::string waiting_end = messages_end(queue.space);
  if (!request.group.empty()) {
    waiting_begin = message_key(queue.space, request.group, 0);
    waiting_end = message_key(queue.space, request.group, UINT64_MAX);
  }
  std::string delayed_from = delayed_begin(queue.space);
  const std::string delayed_to = delayed_end(queue.space);
  bool only_delayed = false;
  if (!request.after.empty()) {
    const auto after = decode_base64(request.after);
    const bool is_waiting = after && *after >= waiting_begin && *after < waiting_end;
    only_delayed = after && *after >= delayed_from && *after < delayed_to;
    if (!is_waiting && !only_delayed) {
      return invalid("The place to go on behind is not one of this queue.");
    }
    (only_delayed ? delayed_from : waiting_begin) = *after + '\0';
  }
  Look look(database, queue, request, now_ms);
  if (!only_delayed) {
    WAYBILL_TRY(look.read(waiting_begin, waiting_end));
  }
  WAYBILL_TRY(look.read(delayed_from, delayed_to));
  return std::move(look).found();
}

Result<std::optional<Peeked>> look(const Database& database, const queue::Receipt& receipt, int64_t now_ms) {
  const std::string key = message_key(receipt.space, receipt.group, receipt.sequence);
  rocksdb::PinnableSlice value;
  WAYBILL_TRY_ASSIGN(const bool found, database.get(database.messages(), key, value));
  if (!found) {
    return std::optional<Peeked>();
  }
  const MessageRow row = read_message_row(view(value));
  Peeked peeked;
  peeked.sequence = receipt.sequence;
  peeked.sent_ms = row.head.sent_ms;
  append_base64(peeked.place, key);
  WAYBILL_TRY_ASSIGN(peeked.message, queue::decode_message(row.record));
  WAYBILL_TRY(add_delivery(database, receipt.space, nullptr, now_ms, peeked));
  return std::optional(std::move(peeked));
}

}  // namespace waybill::engine::queues
