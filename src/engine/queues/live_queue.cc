#include "engine/queues/live_queue.h"

#include <algorithm>
#include <utility>

#include "engine/layout.h"

namespace waybill::engine::queues {
namespace {

constexpr std::size_t due_at_once_max = 256;  // delayed messages that one batch lets go
constexpr int64_t deduplication_ms = 5LL * 60 * 1000;

// An earlier message with the same deduplication id, as the family "tokens" keeps it.
struct Earlier {
  int64_t sent_ms = 0;
  store::SentMessage message;
};

std::string earlier_value(const Earlier& earlier) {
  std::string value;
  append_u64_be(value, static_cast<uint64_t>(earlier.sent_ms));
  append_u64_be(value, earlier.message.sequence);
  value.append(earlier.message.id);
  return value;
}

Earlier read_earlier(std::string_view value) {
  constexpr std::size_t number_bytes = sizeof(uint64_t);
  return {static_cast<int64_t>(load_u64_be(value.data())),
          {std::string(value.substr(2 * number_bytes)), load_u64_be(value.data() + number_bytes)}};
}

// Tokens of transactions are printable; these begin with a byte that is not.
std::string deduplication_key(const queue::Queue& queue, const store::NewMessage& message) {
  std::string key(1, '\0');
  append_u32_be(key, queue.space);
  if (queue.settings.deduplicates_by_group) {
    key.append(message.group);
    key.push_back('\0');
  }
  key.append(message.deduplication_id);
  return key;
}

}  // namespace

LiveQueue::LiveQueue(const Database& database, RecordRoom& room, queue::QueuePtr queue)
    : database_(database), room_(room), queue_(std::move(queue)) {
  plain_.complete = true;
}

// A batch sees what the ones before have written; what it does itself has to be remembered until it is
// written.
void LiveQueue::begin(const Batch& batch) {
  if (batch_ == batch.id()) {
    return;
  }
  batch_ = batch.id();
  advanced_ = false;
  gone_.clear();
  fresh_tokens_.clear();
  forgotten_.clear();
  fresh_due_ms_ = InFlight::never;
  evict_lanes();
}

Status LiveQueue::load(int64_t now_ms) {
  rocksdb::PinnableSlice counts;
  WAYBILL_TRY_ASSIGN(
      const bool counted,
      database_.get(database_.meta(), layout::space_key(layout::queue_counts_prefix, queue_->space), counts));
  if (counted) {
    counts_ = read_counts_row(view(counts));
  }
  plain_.complete = false;
  plain_.cursor = counts_.first;
  line_complete_ = false;
  line_cursor_ = 0;
  WAYBILL_TRY(load_due_times());
  WAYBILL_TRY(load_deliveries(now_ms));
  plain_.complete = plain_.cursor == nothing_waits;
  return {};
}

Status LiveQueue::load_due_times() {
  const std::string begin = delayed_begin(queue_->space);
  const std::string end = delayed_end(queue_->space);
  const rocksdb::Slice lower = slice(begin);
  const rocksdb::Slice upper = slice(end);
  rocksdb::ReadOptions options;
  options.iterate_lower_bound = &lower;
  options.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> at(database_.db().NewIterator(options, database_.messages()));
  at->SeekToFirst();
  if (at->Valid()) {
    next_due_ms_ = due_of(view(at->key()));
    at->SeekToLast();
    last_due_ms_ = due_of(view(at->key()));
  }
  return at->status().ok() ? Status() : to_error(at->status());
}

Status LiveQueue::load_deliveries(int64_t now_ms) {
  const std::string begin = deliveries_begin(queue_->space);
  const std::string end = deliveries_end(queue_->space);
  const rocksdb::Slice upper = slice(end);
  rocksdb::ReadOptions options;
  options.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> at(database_.db().NewIterator(options, database_.deliveries()));
  for (at->Seek(slice(begin)); at->Valid(); at->Next()) {
    WAYBILL_TRY(load_delivery(number_of(view(at->key())), read_delivery_row(view(at->value())), now_ms));
  }
  return at->status().ok() ? Status() : to_error(at->status());
}

// A message whose timeout passed while nobody looked waits again. One of a group that is not in line must
// first bring its group back there: it counts as in flight until the next batch sees that its time is over.
Status LiveQueue::load_delivery(uint64_t sequence, DeliveryRow row, int64_t now_ms) {
  const bool is_hidden = row.visible_ms > now_ms;
  if (row.group.empty() && !is_hidden) {
    plain_.cursor = std::min(plain_.cursor, sequence);
    return {};
  }
  Lane* lane = nullptr;
  if (!row.group.empty()) {
    lane = find_lane(row.group);
    if (lane == nullptr) {
      WAYBILL_TRY_ASSIGN(const auto stored, read_group(row.group));
      const GroupRow group = stored.value_or(GroupRow{0, sequence});
      if (!is_hidden && group.place != 0) {
        return {};
      }
      WAYBILL_TRY_ASSIGN(lane, load_lane(row.group, group));
    } else if (!is_hidden && lane->place != 0) {
      return {};
    }
    lane->out.insert(sequence);
  }
  WAYBILL_TRY_ASSIGN(const auto stored, read_row(row.group, sequence));
  if (!stored) {
    return Error{ErrorKind::corruption, "a message of queue " + queue_->name + " is missing", {}};
  }
  Held held;
  held.entry = {sequence, read_message_row(*stored).head, row.first_received_ms, row.token,
                row.receive_count};
  held.visible_ms = row.visible_ms;
  held.group = std::move(row.group);
  in_flight_.add(std::move(held));
  return {};
}

Result<store::SentMessage> LiveQueue::send(Batch& batch, store::NewMessage message) {
  begin(batch);
  const auto& settings = queue_->settings;
  std::string token;
  if (settings.is_fifo) {
    token = deduplication_key(*queue_, message);
    WAYBILL_TRY_ASSIGN(const auto found, batch.find_token(token));
    if (found) {
      const Earlier earlier = read_earlier(*found);
      if (batch.now_ms() - earlier.sent_ms < deduplication_ms) {
        return earlier.message;
      }
    }
  }
  store::SentMessage sent{message.id, batch.next_number()};
  const int64_t now_ms = batch.now_ms();
  int64_t due_ms = now_ms + message.delay_ms.value_or(settings.delay_ms);
  if (settings.is_fifo && counts_.delayed > 0) {
    due_ms = std::max(due_ms, last_due_ms_);  // nobody overtakes
  }
  ++counts_.sent;
  counted_ = true;
  if (due_ms > now_ms) {
    // A delay may be longer than the retention: that begins behind it.
    const MessageHead head{now_ms, settings.allows_long_delays ? due_ms : now_ms};
    batch.writes().Put(database_.messages(), slice(delayed_key(queue_->space, due_ms, sent.sequence)),
                       slice(delayed_row(head, message.group, message.record)));
    ++counts_.delayed;
    next_due_ms_ = std::min(next_due_ms_, due_ms);
    fresh_due_ms_ = std::min(fresh_due_ms_, due_ms);
    last_due_ms_ = std::max(last_due_ms_, due_ms);
  } else {
    const MessageHead head{now_ms, now_ms};
    put_row(batch, message.group, sent.sequence, head, message.record);
    ++counts_.waiting;
    Entry entry{sent.sequence, head, 0, 0, 0};
    entry.record = room_.keep(std::move(message.record));
    WAYBILL_TRY(enter(batch, message.group, entry));
  }
  if (settings.is_fifo) {
    batch.note_token(token, earlier_value({now_ms, sent}));
  }
  return sent;
}

Status LiveQueue::advance(Batch& batch) {
  begin(batch);
  if (std::exchange(advanced_, true)) {
    return {};
  }
  while (in_flight_.next_ms() <= batch.now_ms()) {
    return_held(batch, in_flight_.take(in_flight_.next_sequence()));
  }
  return next_due_ms_ <= batch.now_ms() ? advance_delayed(batch) : Status();
}

Status LiveQueue::advance_delayed(Batch& batch) {
  const std::string first = delayed_key(queue_->space, next_due_ms_, 0);
  const std::string end = delayed_end(queue_->space);
  const rocksdb::Slice upper = slice(end);
  rocksdb::ReadOptions options;
  options.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> at(database_.db().NewIterator(options, database_.messages()));
  std::size_t count = 0;
  at->Seek(slice(first));
  for (; at->Valid() && due_of(view(at->key())) <= batch.now_ms() && count < due_at_once_max; at->Next()) {
    const auto row = read_delayed_row(view(at->value()));
    const uint64_t sequence = number_of(view(at->key()));
    batch.writes().Delete(database_.messages(), at->key());
    put_row(batch, row.group, sequence, row.head, row.record);
    Entry entry{sequence, row.head, 0, 0, 0};
    entry.record = room_.keep(std::string(row.record));  // under its new key nobody can read it yet
    WAYBILL_TRY(enter(batch, std::string(row.group), entry));
    --counts_.delayed;
    ++counts_.waiting;
    counted_ = true;
    ++count;
  }
  if (!at->status().ok()) {
    return to_error(at->status());
  }
  next_due_ms_ = at->Valid() ? std::min(due_of(view(at->key())), fresh_due_ms_) : fresh_due_ms_;
  return {};
}

void LiveQueue::put_row(Batch& batch, std::string_view group, uint64_t sequence, const MessageHead& head,
                        std::string_view record) const {
  const std::string key = message_key(queue_->space, group, sequence);
  const std::string head_bytes = message_head(head);
  const rocksdb::Slice key_part = slice(key);
  const rocksdb::Slice value_parts[] = {slice(head_bytes), slice(record)};
  batch.writes().Put(database_.messages(), {&key_part, 1}, {value_parts, 2});
}

void LiveQueue::drop_row(Batch& batch, std::string_view group, uint64_t sequence) {
  batch.writes().Delete(database_.messages(), slice(message_key(queue_->space, group, sequence)));
  batch.writes().Delete(database_.deliveries(), slice(delivery_key(queue_->space, sequence)));
  gone_.insert(sequence);
  --counts_.waiting;
  counted_ = true;
}

Result<store::QueueStats> LiveQueue::stats(Batch& batch) {
  WAYBILL_TRY(advance(batch));
  WAYBILL_TRY(fill(batch, plain_));
  WAYBILL_TRY(first_of_line(batch));
  store::QueueStats stats;
  stats.name = queue_->name;
  stats.in_flight = static_cast<int64_t>(in_flight_.size());
  stats.visible = static_cast<int64_t>(counts_.waiting) - stats.in_flight;
  stats.delayed = static_cast<int64_t>(counts_.delayed);
  stats.sent = counts_.sent;
  stats.received = counts_.received;
  stats.deleted = counts_.deleted;
  stats.dead_lettered = counts_.dead_lettered;
  stats.expired = counts_.expired;
  int64_t oldest_ms = InFlight::never;
  const auto look_at = [&](const Entry& entry) { oldest_ms = std::min(oldest_ms, entry.head.sent_ms); };
  if (!plain_.window.empty()) {
    look_at(plain_.window.front());
  }
  if (!in_flight_.empty()) {
    look_at(in_flight_.all().begin()->second.entry);
  }
  for (const auto& [group, lane] : lanes_) {
    if (!lane->window.empty()) {
      look_at(lane->window.front());
    }
  }
  stats.oldest_sent_ms = oldest_ms == InFlight::never ? 0 : oldest_ms;
  return stats;
}

void LiveQueue::drop(Batch& batch) const {
  const std::string begin = layout::full_key(queue_->space, {});
  const std::string end = layout::full_key(queue_->space + 1, {});
  batch.writes().DeleteRange(database_.messages(), slice(begin), slice(end));
  batch.writes().DeleteRange(database_.deliveries(), slice(begin), slice(end));
  batch.writes().Delete(database_.meta(),
                        slice(layout::space_key(layout::queue_counts_prefix, queue_->space)));
}

void LiveQueue::take_totals(const LiveQueue& before) {
  counts_ = before.counts_;
  counts_.waiting = counts_.delayed = counts_.first = 0;
  counted_ = true;
}

void LiveQueue::seal(Batch& batch) {
  if (!std::exchange(counted_, false)) {
    return;
  }
  counts_.first = first_of(plain_);
  batch.writes().Put(database_.meta(), slice(layout::space_key(layout::queue_counts_prefix, queue_->space)),
                     slice(counts_row(counts_)));
}

}  // namespace waybill::engine::queues
