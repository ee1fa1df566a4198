// The part of LiveQueue that keeps what waits in order.
#include <algorithm>
#include <limits>
#include <utility>

#include "engine/queues/live_queue.h"

namespace waybill::engine::queues {
namespace {

constexpr std::size_t plain_window_max = 1024;
constexpr std::size_t group_window_max = 64;
constexpr std::size_t lanes_max = 4096;
constexpr std::size_t lanes_kept = 3072;   // when there were too many
constexpr std::size_t lanes_filled = 512;  // at once
constexpr std::size_t lanes_few = 2048;    // all of them stay in memory
constexpr std::size_t resting_max = 1024;
constexpr uint32_t given_until_stored = 1024;

std::size_t window_max(const Lane& lane) {
  return lane.group.empty() ? plain_window_max : group_window_max;
}

// The receives of messages, walked along with the messages.
class Deliveries {
 public:
  Deliveries(const Database& database, queue::SpaceId space)
      : space_(space), end_(deliveries_end(space)), upper_(slice(end_)) {
    rocksdb::ReadOptions options;
    options.iterate_upper_bound = &upper_;
    at_.reset(database.db().NewIterator(options, database.deliveries()));
  }

  // Sequences must rise from call to call.
  std::optional<DeliveryRow> find(uint64_t sequence) {
    if (!started_ || (at_->Valid() && number_of(view(at_->key())) < sequence)) {
      started_ = true;
      at_->Seek(slice(delivery_key(space_, sequence)));
    }
    if (!at_->Valid() || number_of(view(at_->key())) != sequence) {
      return std::nullopt;
    }
    return read_delivery_row(view(at_->value()));
  }

  rocksdb::Status status() const { return at_->status(); }

 private:
  const queue::SpaceId space_;
  const std::string end_;
  const rocksdb::Slice upper_;
  std::unique_ptr<rocksdb::Iterator> at_;
  bool started_ = false;
};

}  // namespace

Lane* LiveQueue::find_lane(std::string_view group) {
  if (group.empty()) {
    return &plain_;
  }
  const auto found = lanes_.find(std::string(group));
  return found == lanes_.end() ? nullptr : found->second.get();
}

Result<std::optional<GroupRow>> LiveQueue::read_group(std::string_view group) const {
  rocksdb::PinnableSlice value;
  WAYBILL_TRY_ASSIGN(const bool found,
                     database_.get(database_.deliveries(), group_key(queue_->space, group), value));
  return found ? std::optional(read_group_row(view(value))) : std::nullopt;
}

// A lane whose group is on disk.
Result<Lane*> LiveQueue::load_lane(const std::string& group, const GroupRow& row) {
  auto lane = std::make_unique<Lane>();
  lane->group = group;
  lane->cursor = row.first;
  lane->place = row.place;
  lane->stored = row;
  Lane* const made = lane.get();
  if (made->place != 0) {
    line_.emplace(made->place, made);
  }
  lanes_.emplace(group, std::move(lane));
  return made;
}

// A message that this batch has written begins to wait.
Status LiveQueue::enter(Batch& batch, const std::string& group, const Entry& entry) {
  Lane* lane = find_lane(group);
  if (lane == nullptr) {
    WAYBILL_TRY_ASSIGN(const auto stored, read_group(group));
    if (stored && !forgotten_.contains(group)) {
      // Whoever reads the lane from disk before this batch is written must not pass this message over.
      WAYBILL_TRY_ASSIGN(lane, load_lane(group, *stored));
    } else {
      forgotten_.erase(group);
      auto made = std::make_unique<Lane>();
      made->group = group;
      made->complete = true;
      lane = made.get();
      lanes_.emplace(group, std::move(made));
    }
  }
  const bool comes_first = lane->stored.place != 0 && entry.sequence < lane->stored.first;
  add(batch, *lane, entry);
  wake(*lane);
  if (!group.empty()) {
    groups_kept_from_ms_ = std::min(groups_kept_from_ms_, entry.head.kept_from_ms);
    sweep_kept_from_ms_ = std::min(sweep_kept_from_ms_, entry.head.kept_from_ms);
    place(batch, *lane, Turn::stays);
    if (comes_first) {
      write_group(batch, *lane);
    }
  }
  return {};
}

void LiveQueue::add(Batch& batch, Lane& lane, const Entry& entry) {
  trim(batch, lane);
  const bool at_end = lane.window.empty() || lane.window.back().sequence < entry.sequence;
  if (lane.complete && at_end && lane.window.size() >= window_max(lane)) {
    lane.complete = false;
    lane.cursor = entry.sequence;
  }
  if (lane.complete || entry.sequence < lane.cursor) {
    lane.window.insert(entry);
    lane.added_in = batch.id();
    return;
  }
  if (lane.fresh_in != batch.id()) {
    lane.fresh.clear();
    lane.fresh_in = batch.id();
  }
  lane.fresh.insert(std::ranges::upper_bound(lane.fresh, entry.sequence, {}, &Entry::sequence), entry);
}

// A message that is on disk waits again. Behind the cursor it will be found there.
void LiveQueue::put_back(const Batch& batch, Lane& lane, const Entry& entry) {
  if (lane.complete || entry.sequence < lane.cursor) {
    lane.window.insert(entry);
    trim(batch, lane);
  }
}

// Lets go of the window's end where many messages have come back or become due, as far as reads find it
// again: what this batch has written they do not find yet.
void LiveQueue::trim(const Batch& batch, Lane& lane) {
  while (lane.window.size() > 2 * window_max(lane) && lane.added_in != batch.id()) {
    const Entry& last = lane.window.back();
    if (batch.is_of_this(last.token)) {
      return;
    }
    lane.cursor = last.sequence;
    lane.complete = false;
    lane.window.pop_back();
  }
}

// Reads the next stretch where nothing of the lane is left in memory.
Status LiveQueue::fill(Batch& batch, Lane& lane) {
  if (!lane.window.empty() || lane.complete) {
    return {};
  }
  const std::string begin = message_key(queue_->space, lane.group, lane.cursor);
  const std::string end = message_key(queue_->space, lane.group, std::numeric_limits<uint64_t>::max());
  const rocksdb::Slice upper = slice(end);
  rocksdb::ReadOptions options;
  options.iterate_upper_bound = &upper;
  options.fill_cache = false;  // each message is read once
  const std::unique_ptr<rocksdb::Iterator> at(database_.db().NewIterator(options, database_.messages()));
  Deliveries deliveries(database_, queue_->space);
  for (at->Seek(slice(begin)); at->Valid() && lane.window.size() < window_max(lane); at->Next()) {
    const uint64_t sequence = number_of(view(at->key()));
    lane.cursor = sequence + 1;
    if (gone_.contains(sequence) || in_flight_.find(sequence) != nullptr) {
      continue;
    }
    const MessageRow row = read_message_row(view(at->value()));
    Entry entry{sequence, row.head, 0, 0, 0};
    entry.record = room_.keep(std::string(row.record));
    if (const auto delivery = deliveries.find(sequence)) {
      entry.first_received_ms = delivery->first_received_ms;
      entry.token = delivery->token;
      entry.receive_count = delivery->receive_count;
    }
    lane.window.insert(entry);
  }
  if (!at->status().ok()) {
    return to_error(at->status());
  }
  if (!deliveries.status().ok()) {
    return to_error(deliveries.status());
  }
  lane.complete = !at->Valid();
  if (lane.fresh_in != batch.id()) {
    lane.fresh.clear();
  }
  std::erase_if(lane.fresh, [&](const Entry& entry) {
    const bool passed = lane.complete || entry.sequence < lane.cursor;
    if (passed) {
      lane.window.insert(entry);
      lane.added_in = batch.id();
    }
    return passed;
  });
  return {};
}

// Reads the next groups in line where none of it is left in memory. Where a group is in memory, that is what
// counts: the row may be of before this batch.
Status LiveQueue::fill_line() {
  const std::string begin = line_key(queue_->space, line_cursor_);
  const std::string end = line_end(queue_->space);
  const rocksdb::Slice upper = slice(end);
  rocksdb::ReadOptions options;
  options.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> at(database_.db().NewIterator(options, database_.deliveries()));
  std::size_t count = 0;
  for (at->Seek(slice(begin)); at->Valid() && count < lanes_filled; at->Next(), ++count) {
    line_cursor_ = number_of(view(at->key())) + 1;
    const std::string group = at->value().ToString();
    if (lanes_.contains(group) || forgotten_.contains(group)) {
      continue;
    }
    WAYBILL_TRY_ASSIGN(const auto row, read_group(group));
    if (row) {
      WAYBILL_TRY(load_lane(group, *row));
    }
  }
  line_complete_ = !at->Valid();
  return at->status().ok() ? Status() : to_error(at->status());
}

// The first lane in line that has a message; null where there is none.
Result<Lane*> LiveQueue::first_of_line(Batch& batch) {
  while (!line_.empty() || !line_complete_) {
    // Lanes may be in memory that are further back than the next ones on disk.
    if (!line_complete_ && (line_.empty() || line_.begin()->first >= line_cursor_)) {
      WAYBILL_TRY(fill_line());
      continue;
    }
    Lane* const lane = line_.begin()->second;
    WAYBILL_TRY(fill(batch, *lane));
    if (!lane->window.empty()) {
      return lane;
    }
    place(batch, *lane, Turn::stays);
  }
  return nullptr;
}

Result<Lane*> LiveQueue::next_lane(Batch& batch) {
  WAYBILL_TRY(fill(batch, plain_));
  WAYBILL_TRY_ASSIGN(Lane* const group, first_of_line(batch));
  if (plain_.window.empty() || (group != nullptr && !plain_is_next_)) {
    plain_is_next_ = true;
    return group;
  }
  plain_is_next_ = false;
  return &plain_;
}

uint64_t LiveQueue::first_of(const Lane& lane) const {
  uint64_t first = lane.complete ? nothing_waits : lane.cursor;
  if (!lane.window.empty()) {
    first = lane.window.front().sequence;
  }
  return lane.out.empty() ? first : std::min(first, *lane.out.begin());
}

// Sees to it that the lane of a group is in line where it should be, and nowhere where it is empty: then it
// may be gone afterwards. Not for the lane without a group.
void LiveQueue::place(Batch& batch, Lane& lane, Turn turn) {
  const bool has_waiting = !lane.window.empty() || !lane.complete;
  const bool is_blocked = queue_->settings.is_fifo && !lane.out.empty();
  if (!has_waiting && lane.out.empty()) {
    rest(batch, lane);
    return;
  }
  const bool belongs = has_waiting && !is_blocked;
  if (lane.place != 0 && (!belongs || turn == Turn::goes_back)) {
    leave_line(lane);
  }
  if (belongs && lane.place == 0) {
    enter_line(batch, lane);
  }
  lane.given_since_stored += turn == Turn::goes_back ? 1 : 0;
  if (lane.place != lane.stored.place && (lane.stored.place == 0 || writes_places())) {
    store_place(batch, lane);
  } else if (lane.given_since_stored >= given_until_stored) {
    write_group(batch, lane);
  }
}

void LiveQueue::leave_line(Lane& lane) {
  line_.erase(lane.place);
  lane.place = 0;
}

void LiveQueue::enter_line(Batch& batch, Lane& lane) {
  lane.place = batch.next_number();
  line_.emplace(lane.place, &lane);
}

// Whether the line on disk must be the one in memory: where lanes may be let go of, and where messages must
// not change their order. Elsewhere it is enough that every group with messages is in it, and after a restart
// the groups take turns in another order; so a group that is served all the time costs no rows.
bool LiveQueue::writes_places() const {
  return queue_->settings.is_fifo || !line_complete_ || lanes_.size() > lanes_few;
}

void LiveQueue::store_place(Batch& batch, Lane& lane) const {
  if (lane.stored.place != 0) {
    batch.writes().Delete(database_.deliveries(), slice(line_key(queue_->space, lane.stored.place)));
  }
  if (lane.place != 0) {
    batch.writes().Put(database_.deliveries(), slice(line_key(queue_->space, lane.place)), slice(lane.group));
  }
  lane.stored.place = lane.place;
  write_group(batch, lane);
}

void LiveQueue::write_group(Batch& batch, Lane& lane) const {
  lane.stored.first = first_of(lane);
  lane.given_since_stored = 0;
  batch.writes().Put(database_.deliveries(), slice(group_key(queue_->space, lane.group)),
                     slice(group_row(lane.stored)));
}

// Groups whose messages come and go keep their rows for a while.
void LiveQueue::rest(Batch& batch, Lane& lane) {
  if (lane.place != 0) {
    leave_line(lane);
  }
  if (writes_places()) {
    forget_lane(batch, lane);
    return;
  }
  if (lane.resting_since == 0) {
    lane.resting_since = ++rests_;
    resting_.emplace(lane.resting_since, &lane);
  }
  while (resting_.size() > resting_max) {
    forget_lane(batch, *resting_.begin()->second);
  }
}

void LiveQueue::wake(Lane& lane) {
  if (lane.resting_since != 0) {
    resting_.erase(std::exchange(lane.resting_since, 0));
  }
}

void LiveQueue::forget_lane(Batch& batch, Lane& lane) {
  wake(lane);
  if (lane.place != 0) {
    leave_line(lane);
  }
  if (lane.stored.place != 0) {
    batch.writes().Delete(database_.deliveries(), slice(line_key(queue_->space, lane.stored.place)));
  }
  batch.writes().Delete(database_.deliveries(), slice(group_key(queue_->space, lane.group)));
  forgotten_.insert(lane.group);
  lanes_.erase(std::string(lane.group));
}

// Called between batches: all that is let go of is on disk.
void LiveQueue::evict_lanes() {
  if (lanes_.size() <= lanes_max) {
    return;
  }
  for (auto at = line_.end(); at != line_.begin() && lanes_.size() > lanes_kept;) {
    --at;
    Lane* const lane = at->second;
    if (!lane->out.empty() || lane->place != lane->stored.place) {
      continue;
    }
    line_cursor_ = line_complete_ ? lane->place : std::min(line_cursor_, lane->place);
    line_complete_ = false;
    at = line_.erase(at);
    lanes_.erase(std::string(lane->group));
  }
}

}  // namespace waybill::engine::queues
