// The part of LiveQueue that gives messages out.
#include <utility>

#include "engine/queues/live_queue.h"

namespace waybill::engine::queues {

// One receive on its way.
struct LiveQueue::Round {
  Batch& batch;
  const Taking& wanted;
  std::vector<store::Delivery>& given;
  // Messages that wait again at once, put back when the round is over: it must not meet them twice.
  std::vector<Held> back;

  bool is_over() const { return given.size() >= wanted.count_max; }
};

Status LiveQueue::take(Batch& batch, const Taking& wanted, std::vector<store::Delivery>& given) {
  WAYBILL_TRY(advance(batch));
  Round round{batch, wanted, given, {}};
  while (!round.is_over()) {
    if (in_flight_.size() >= in_flight_max) {
      if (given.empty()) {
        return Error{
            ErrorKind::too_many_in_flight,
            "The maximum number of in flight messages is reached: delete messages that are done with.",
            {}};
      }
      break;
    }
    WAYBILL_TRY_ASSIGN(Lane* const lane, next_lane(batch));
    if (lane == nullptr) {
      break;
    }
    WAYBILL_TRY(take_from(round, *lane));
  }
  for (const auto& held : round.back) {
    return_held(batch, held);
  }
  counts_.received += given.size();
  counted_ = counted_ || (!given.empty() && !wanted.is_tentative);
  return {};
}

// A FIFO queue gives as many of one group as are wanted; a standard one goes on with the next lane.
Status LiveQueue::take_from(Round& round, Lane& lane) {
  WAYBILL_TRY(take_one(round, lane));
  while (queue_->settings.is_fifo && !round.is_over()) {
    WAYBILL_TRY(fill(round.batch, lane));
    if (lane.window.empty()) {
      break;
    }
    WAYBILL_TRY(take_one(round, lane));
  }
  if (!lane.group.empty()) {
    place(round.batch, lane, Turn::goes_back);
  }
  return {};
}

// Takes the first message of the lane's window: it is given out, or is one that nobody gets any more.
Status LiveQueue::take_one(Round& round, Lane& lane) {
  const Entry entry = lane.window.front();
  lane.window.pop_front();
  if (is_over(entry.head, round.batch)) {
    drop_row(round.batch, lane.group, entry.sequence);
    ++counts_.expired;
    return {};
  }
  const auto& redrive = queue_->settings.redrive;
  if (redrive && round.wanted.dead_letters != nullptr && entry.receive_count >= redrive->receives_max) {
    WAYBILL_TRY_ASSIGN(const bool buried, bury(round.batch, lane, entry, *round.wanted.dead_letters));
    if (!buried) {
      if (!lane.group.empty()) {
        lane.out.insert(entry.sequence);
      }
      round.back.push_back({entry, 0, lane.group});
    }
    return {};
  }
  return give(round, lane, entry);
}

Status LiveQueue::give(Round& round, Lane& lane, Entry entry) {
  Batch& batch = round.batch;
  const int64_t now_ms = batch.now_ms();
  entry.token = batch.next_number();
  ++entry.receive_count;
  if (entry.first_received_ms == 0) {
    entry.first_received_ms = now_ms;
  }
  const int64_t visible_ms = now_ms + round.wanted.visibility_ms;
  if (visible_ms <= now_ms) {
    // Nobody holds it: the next receive may delete it before this one's content is read.
    WAYBILL_TRY(bring_content(lane, entry));
  }
  if (!round.wanted.is_tentative) {
    batch.writes().Put(database_.deliveries(), slice(delivery_key(queue_->space, entry.sequence)),
                       slice(delivery_row({visible_ms, entry.first_received_ms, entry.token,
                                           entry.receive_count, lane.group})));
  }
  if (!lane.group.empty() || round.wanted.is_tentative) {
    lane.out.insert(entry.sequence);
  }
  auto record = entry.record;
  if (visible_ms > now_ms) {
    entry.record.reset();  // else the next receive, which may be of this batch, has it as well
  }
  Held held{entry, visible_ms, lane.group};
  if (visible_ms > now_ms) {
    in_flight_.add(std::move(held));
  } else {
    fresh_tokens_[entry.sequence] = entry.token;
    round.back.push_back(std::move(held));
  }
  round.given.push_back({{queue_->space, entry.sequence, entry.token, lane.group},
                         std::move(record),
                         entry.head.sent_ms,
                         entry.first_received_ms,
                         entry.receive_count});
  return {};
}

// One that was written by this very batch cannot be read yet, and has its content where there was room.
Status LiveQueue::bring_content(const Lane& lane, Entry& entry) const {
  if (entry.record) {
    return {};
  }
  WAYBILL_TRY_ASSIGN(const auto stored, read_row(lane.group, entry.sequence));
  if (stored) {
    entry.record = std::make_shared<const std::string>(read_message_row(*stored).record);
  }
  return {};
}

// False where the message was written by this very batch, and cannot be read yet.
Result<bool> LiveQueue::bury(Batch& batch, const Lane& lane, const Entry& entry, LiveQueue& dead_letters) {
  WAYBILL_TRY_ASSIGN(const auto stored, read_row(lane.group, entry.sequence));
  if (!stored) {
    return false;
  }
  const MessageRow row = read_message_row(*stored);
  WAYBILL_TRY_ASSIGN(auto message, queue::decode_message(row.record));
  message.dead_letter_source = queue_->name;
  message.earlier_receives += entry.receive_count;
  drop_row(batch, lane.group, entry.sequence);
  ++counts_.dead_lettered;
  // What SQS does: the message keeps its age, but for FIFO queues.
  const int64_t now_ms = batch.now_ms();
  const MessageHead head = queue_->settings.is_fifo ? MessageHead{now_ms, now_ms} : row.head;
  WAYBILL_TRY(dead_letters.receive_moved(batch, head, message));
  return true;
}

}  // namespace waybill::engine::queues
