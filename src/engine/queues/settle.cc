// The part of LiveQueue that settles what was given out.
#include "engine/queues/live_queue.h"

namespace waybill::engine::queues {

using store::Settled;

Result<Settled> LiveQueue::settle(Batch& batch, const store::Settlement& settlement, Purpose purpose) {
  const auto& receipt = settlement.receipt;
  if (receipt.space != queue_->space) {
    return Settled::foreign;
  }
  WAYBILL_TRY(advance(batch));
  const Held* const held = in_flight_.find(receipt.sequence);
  if (held == nullptr) {
    return settle_waiting(batch, settlement, purpose);
  }
  if (held->group != receipt.group) {
    return Settled::foreign;
  }
  if (held->entry.token != receipt.token) {
    return Settled::superseded;
  }
  if (purpose == Purpose::check) {
    return Settled::done;
  }
  if (!settlement.visibility_ms) {
    delete_held(batch, in_flight_.take(receipt.sequence));
  } else {
    if (!settlement.counts) {
      in_flight_.uncount(receipt.sequence);
    }
    hide(batch, *held, *settlement.visibility_ms);
  }
  return Settled::done;
}

// Its time is over, and it can be received again.
void LiveQueue::return_held(Batch& batch, const Held& held) {
  Lane* const lane = find_lane(held.group);
  lane->out.erase(held.entry.sequence);
  put_back(batch, *lane, held.entry);
  if (!held.group.empty()) {
    place(batch, *lane, Turn::stays);
  }
}

void LiveQueue::delete_held(Batch& batch, const Held& held) {
  drop_row(batch, held.group, held.entry.sequence);
  ++counts_.deleted;
  Lane* const lane = find_lane(held.group);
  lane->out.erase(held.entry.sequence);
  if (!held.group.empty()) {
    place(batch, *lane, Turn::stays);
  }
}

void LiveQueue::hide(Batch& batch, const Held& held, int64_t visibility_ms) {
  const Entry& entry = held.entry;
  const int64_t visible_ms = batch.now_ms() + visibility_ms;
  batch.writes().Put(database_.deliveries(), slice(delivery_key(queue_->space, entry.sequence)),
                     slice(delivery_row({visible_ms, entry.first_received_ms, entry.token,
                                         entry.receive_count, held.group})));
  if (held.group.empty()) {
    plain_.out.erase(entry.sequence);
  }
  if (visibility_ms > 0) {
    in_flight_.hide_until(entry.sequence, visible_ms);
  } else {
    return_held(batch, in_flight_.take(entry.sequence));
  }
}

// A receipt whose time has run out, or that never was one of this message's last receive.
Result<Settled> LiveQueue::settle_waiting(Batch& batch, const store::Settlement& settlement,
                                          Purpose purpose) {
  const auto& receipt = settlement.receipt;
  if (gone_.contains(receipt.sequence)) {
    return Settled::gone;
  }
  if (receipt.token == 0) {
    return discard(batch, receipt, purpose);
  }
  rocksdb::PinnableSlice value;
  WAYBILL_TRY_ASSIGN(const bool found, database_.get(database_.deliveries(),
                                                     delivery_key(queue_->space, receipt.sequence), value));
  if (!found) {
    return Settled::gone;
  }
  const DeliveryRow row = read_delivery_row(view(value));
  if (row.group != receipt.group) {
    return Settled::foreign;
  }
  const auto fresh = fresh_tokens_.find(receipt.sequence);
  if ((fresh == fresh_tokens_.end() ? row.token : fresh->second) != receipt.token) {
    return Settled::superseded;
  }
  const bool deletes = !settlement.visibility_ms;
  if (!deletes || queue_->settings.is_fifo || purpose == Purpose::check) {
    return Settled::not_in_flight;
  }
  delete_waiting(batch, row.group, receipt.sequence);
  ++counts_.deleted;
  return Settled::done;
}

// One that nobody holds, and maybe nobody ever has.
Result<Settled> LiveQueue::discard(Batch& batch, const queue::Receipt& receipt, Purpose purpose) {
  WAYBILL_TRY_ASSIGN(const auto stored, read_row(receipt.group, receipt.sequence));
  if (!stored) {
    return Settled::gone;
  }
  if (purpose == Purpose::settle) {
    delete_waiting(batch, receipt.group, receipt.sequence);
    ++counts_.deleted;
  }
  return Settled::done;
}

// Where the lane is on disk alone, it is found to be empty when its turn comes.
void LiveQueue::delete_waiting(Batch& batch, const std::string& group, uint64_t sequence) {
  drop_row(batch, group, sequence);
  Lane* const lane = find_lane(group);
  if (lane == nullptr) {
    return;
  }
  lane->window.erase(sequence);
  std::erase_if(lane->fresh, [&](const Entry& entry) { return entry.sequence == sequence; });
  if (!group.empty()) {
    place(batch, *lane, Turn::stays);
  }
}

}  // namespace waybill::engine::queues
