// The part of LiveQueue that hands messages to other queues.
#include <utility>

#include "engine/queues/live_queue.h"

namespace waybill::engine::queues {

Result<std::optional<std::string>> LiveQueue::read_row(std::string_view group, uint64_t sequence) const {
  rocksdb::PinnableSlice value;
  WAYBILL_TRY_ASSIGN(const bool found,
                     database_.get(database_.messages(), message_key(queue_->space, group, sequence), value));
  return found ? std::optional(value.ToString()) : std::nullopt;
}

// Takes in a message that was in another queue before.
Status LiveQueue::receive_moved(Batch& batch, const MessageHead& head, const queue::Message& message) {
  begin(batch);
  const uint64_t sequence = batch.next_number();
  put_row(batch, message.group, sequence, head, queue::encode(message));
  ++counts_.waiting;
  ++counts_.sent;
  counted_ = true;
  return enter(batch, message.group, {sequence, head, 0, 0, 0});
}

Result<bool> LiveQueue::move_one(Batch& batch, const std::string& to, const std::string& new_id,
                                 const Find& find) {
  WAYBILL_TRY(advance(batch));
  for (;;) {
    WAYBILL_TRY_ASSIGN(Lane* const lane, next_lane(batch));
    if (lane == nullptr) {
      return false;
    }
    const Entry entry = lane->window.front();
    const bool expired = is_over(entry.head, batch);
    if (expired) {
      drop_row(batch, lane->group, entry.sequence);
      ++counts_.expired;
    } else {
      WAYBILL_TRY_ASSIGN(const bool moved, move_entry(batch, *lane, entry, to, new_id, find));
      if (!moved) {
        return false;
      }
    }
    lane->window.pop_front();
    if (!lane->group.empty()) {
      place(batch, *lane, Turn::stays);
    }
    if (!expired) {
      return true;
    }
  }
}

// It goes as a message that is new, and so it may be received there as often as any other. False where this
// very batch has written it, and it cannot be read yet.
Result<bool> LiveQueue::move_entry(Batch& batch, const Lane& lane, const Entry& entry, const std::string& to,
                                   const std::string& new_id, const Find& find) {
  WAYBILL_TRY_ASSIGN(const auto stored, read_row(lane.group, entry.sequence));
  if (!stored) {
    return false;
  }
  WAYBILL_TRY_ASSIGN(auto message, queue::decode_message(read_message_row(*stored).record));
  const std::string target_name = to.empty() ? message.dead_letter_source : to;
  LiveQueue* const target = target_name.empty() ? nullptr : find(target_name);
  if (target == nullptr || target == this) {
    return Error{ErrorKind::queue_not_found,
                 target_name.empty() ? "A message does not tell which queue it came from."
                                     : "The queue " + target_name + " does not exist.",
                 {}};
  }
  message.id = new_id;
  message.dead_letter_source.clear();
  message.earlier_receives = 0;
  drop_row(batch, lane.group, entry.sequence);
  const int64_t now_ms = batch.now_ms();
  WAYBILL_TRY(target->receive_moved(batch, {now_ms, now_ms}, message));
  return true;
}

}  // namespace waybill::engine::queues
