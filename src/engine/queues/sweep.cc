// The part of LiveQueue that deletes messages whose retention is over.
#include <algorithm>
#include <utility>

#include "engine/queues/live_queue.h"

namespace waybill::engine::queues {

Result<std::size_t> LiveQueue::sweep(Batch& batch, std::size_t budget) {
  WAYBILL_TRY(advance(batch));
  std::size_t count = sweep_in_flight(batch, budget);
  WAYBILL_TRY_ASSIGN(const std::size_t plain, sweep_plain(batch, budget - count));
  count += plain;
  WAYBILL_TRY_ASSIGN(const std::size_t grouped, sweep_groups(batch, budget - count));
  return count + grouped;
}

void LiveQueue::drop_expired(Batch& batch, const std::string& group, uint64_t sequence) {
  delete_waiting(batch, group, sequence);
  ++counts_.expired;
}

// In the order in which they were sent: the first that is not over is the last to look at.
std::size_t LiveQueue::sweep_in_flight(Batch& batch, std::size_t budget) {
  std::size_t count = 0;
  while (count < budget && !in_flight_.empty() &&
         is_over(in_flight_.all().begin()->second.entry.head, batch)) {
    const Held held = in_flight_.take(in_flight_.all().begin()->first);
    if (Lane* const lane = find_lane(held.group); lane != nullptr) {
      lane->out.erase(held.entry.sequence);
    }
    drop_expired(batch, held.group, held.entry.sequence);
    ++count;
  }
  return count;
}

Result<std::size_t> LiveQueue::sweep_plain(Batch& batch, std::size_t budget) {
  std::size_t count = 0;
  for (; count < budget; ++count) {
    WAYBILL_TRY(fill(batch, plain_));
    if (plain_.window.empty() || !is_over(plain_.window.front().head, batch)) {
      break;
    }
    drop_expired(batch, {}, plain_.window.front().sequence);
  }
  return count;
}

// Looks at the first message of each group, from group to group; the next sweep goes on where this one ends.
Result<std::size_t> LiveQueue::sweep_groups(Batch& batch, std::size_t budget) {
  constexpr std::size_t looks_max = 1000;
  if (sweep_after_.empty() && groups_kept_from_ms_ > batch.now_ms() - queue_->settings.retention_ms) {
    return 0;
  }
  const std::string begin = message_key(queue_->space, {}, UINT64_MAX);  // behind those without a group
  const std::string end = messages_end(queue_->space);
  const rocksdb::Slice upper = slice(end);
  rocksdb::ReadOptions options;
  options.iterate_upper_bound = &upper;
  options.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> at(database_.db().NewIterator(options, database_.messages()));
  at->Seek(slice(sweep_after_.empty() ? begin : sweep_after_));
  std::size_t count = 0;
  for (std::size_t looks = 0; at->Valid() && looks < looks_max && count < budget; ++looks) {
    const std::string group(group_of(view(at->key())));
    const uint64_t sequence = number_of(view(at->key()));
    const MessageHead head = read_message_row(view(at->value())).head;
    if (gone_.contains(sequence)) {
      at->Next();
    } else if (in_flight_.find(sequence) == nullptr && is_over(head, batch)) {
      drop_expired(batch, group, sequence);
      ++count;
      at->Next();
    } else {
      sweep_kept_from_ms_ = std::min(sweep_kept_from_ms_, head.kept_from_ms);
      at->Seek(slice(message_key(queue_->space, group, UINT64_MAX)));
    }
  }
  sweep_after_ = at->Valid() ? at->key().ToString() : std::string();
  if (!at->status().ok()) {
    return to_error(at->status());
  }
  if (!at->Valid()) {
    groups_kept_from_ms_ = std::exchange(sweep_kept_from_ms_, InFlight::never);
  }
  return count;
}

}  // namespace waybill::engine::queues
