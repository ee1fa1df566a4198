#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "engine/batch.h"
#include "engine/database.h"
#include "engine/queues/in_flight.h"
#include "engine/queues/record_room.h"
#include "engine/queues/rows.h"
#include "engine/queues/window.h"
#include "store/queues.h"

namespace waybill::engine::queues {

// The messages of one group that wait, as far as they are in memory. Messages without a group have a lane of
// their own.
struct Lane {
  std::string group;
  Window window;
  uint64_t cursor = 0;    // what can be received and stands before it is in the window
  bool complete = false;  // and so is all the rest
  // Entries at or behind the cursor that the batch `fresh_in` has written: no read finds them yet.
  std::vector<Entry> fresh;
  uint64_t fresh_in = 0;
  uint64_t added_in = 0;  // the last batch that has written a message of the window
  // Sequences of those in flight. In the lane without group only those that were given out tentatively: of
  // the others rows tell, and a restart finds them by those.
  std::set<uint64_t> out;
  uint64_t place = 0;  // in the queue's line of groups; 0: not in it
  // What the rows of its group say. They may be of some time ago: as long as the lane is in memory, all that
  // they must tell is that there may be messages, and before which sequence there are none.
  GroupRow stored;
  uint32_t given_since_stored = 0;
  uint64_t resting_since = 0;  // 0: it has messages
};

// One queue, as the writer sees it: it decides who gets which message, and adds to the batch what that
// changes.
//
// Messages wait in lanes, one for each group and one for those without. A standard queue takes one message
// from each lane in turn, so that no group waits for another. A FIFO queue takes from the first lane in line,
// and no more from that lane until all that it gave are settled.
//
// Memory: of the messages that wait, the first thousand of the lane without group and the first few of the
// groups that come next, some of them with their contents; those in flight, of which there may be 120,000.
// All the rest is on disk alone, and read a stretch at a time, behind where the last one ended: what was
// deleted is never walked over again.
//
// Used by the writer thread alone. An Error means that the disk could not be read, unless told otherwise.
class LiveQueue {
 public:
  static constexpr std::size_t in_flight_max = 120'000;

  // What is referred to outlives the queue.
  LiveQueue(const Database& database, RecordRoom& room, queue::QueuePtr queue);
  LiveQueue(const LiveQueue&) = delete;
  LiveQueue& operator=(const LiveQueue&) = delete;

  // Takes up what is on disk. Not for a queue that was just made.
  Status load(int64_t now_ms);

  const queue::Queue& queue() const { return *queue_; }
  void change(queue::QueuePtr queue) { queue_ = std::move(queue); }

  Result<store::SentMessage> send(Batch& batch, store::NewMessage message);

  struct Taking {
    uint32_t count_max = 1;
    int64_t visibility_ms = 0;
    bool is_tentative = false;          // see store::ReceiveRequest
    LiveQueue* dead_letters = nullptr;  // where messages go that were received too often; null: nowhere
  };
  // Gives out messages; none where none waits. Error too_many_in_flight.
  Status take(Batch& batch, const Taking& wanted, std::vector<store::Delivery>& given);

  enum class Purpose : unsigned char { settle, check };  // check: says what would be, and does nothing
  Result<store::Settled> settle(Batch& batch, const store::Settlement& settlement, Purpose purpose);

  // Moves the next message that waits. `find` gives the queue of a name, or null. False where none waits;
  // Error queue_not_found where it has nowhere to go.
  using Find = std::function<LiveQueue*(const std::string&)>;
  Result<bool> move_one(Batch& batch, const std::string& to, const std::string& new_id, const Find& find);

  // Deletes messages whose retention is over, up to `budget`; returns how many that were.
  Result<std::size_t> sweep(Batch& batch, std::size_t budget);

  // Messages whose delay or timeout has passed can be received again.
  Status advance(Batch& batch);
  // When there will be something new to receive, as far as that is a matter of time.
  int64_t next_ms() const { return std::min(in_flight_.next_ms(), next_due_ms_); }

  Result<store::QueueStats> stats(Batch& batch);

  // Deletes every row. The object must not be used afterwards.
  void drop(Batch& batch) const;
  // Carries over what was counted to the queue that takes this one's place.
  void take_totals(const LiveQueue& before);

  bool has_changed() const { return counted_; }
  // Writes the counts down where they have changed.
  void seal(Batch& batch);

 private:
  // The first sequence of a lane in which nothing waits.
  static constexpr uint64_t nothing_waits = std::numeric_limits<uint64_t>::max();

  // live_queue.cc
  void begin(const Batch& batch);
  bool is_over(const MessageHead& head, const Batch& batch) const {
    return head.kept_from_ms + queue_->settings.retention_ms <= batch.now_ms();
  }
  Status load_due_times();
  Status load_deliveries(int64_t now_ms);
  Status load_delivery(uint64_t sequence, DeliveryRow row, int64_t now_ms);
  Status advance_delayed(Batch& batch);
  void put_row(Batch& batch, std::string_view group, uint64_t sequence, const MessageHead& head,
               std::string_view record) const;
  void drop_row(Batch& batch, std::string_view group, uint64_t sequence);

  // lanes.cc: what waits, and in which order
  Lane* find_lane(std::string_view group);
  Result<Lane*> load_lane(const std::string& group, const GroupRow& row);
  Result<std::optional<GroupRow>> read_group(std::string_view group) const;
  Status enter(Batch& batch, const std::string& group, const Entry& entry);
  void add(Batch& batch, Lane& lane, const Entry& entry);
  static void put_back(const Batch& batch, Lane& lane, const Entry& entry);
  static void trim(const Batch& batch, Lane& lane);
  Status fill(Batch& batch, Lane& lane);
  Status fill_line();
  Result<Lane*> first_of_line(Batch& batch);
  Result<Lane*> next_lane(Batch& batch);
  enum class Turn : unsigned char { stays, goes_back };
  void place(Batch& batch, Lane& lane, Turn turn);
  void leave_line(Lane& lane);
  void enter_line(Batch& batch, Lane& lane);
  bool writes_places() const;
  void store_place(Batch& batch, Lane& lane) const;
  void write_group(Batch& batch, Lane& lane) const;
  void rest(Batch& batch, Lane& lane);
  void wake(Lane& lane);
  void forget_lane(Batch& batch, Lane& lane);
  void evict_lanes();
  uint64_t first_of(const Lane& lane) const;

  // take.cc
  struct Round;
  Status take_from(Round& round, Lane& lane);
  Status take_one(Round& round, Lane& lane);
  Status give(Round& round, Lane& lane, Entry entry);
  Status bring_content(const Lane& lane, Entry& entry) const;
  Result<bool> bury(Batch& batch, const Lane& lane, const Entry& entry, LiveQueue& dead_letters);

  // move.cc
  Result<std::optional<std::string>> read_row(std::string_view group, uint64_t sequence) const;
  Status receive_moved(Batch& batch, const MessageHead& head, const queue::Message& message);
  Result<bool> move_entry(Batch& batch, const Lane& lane, const Entry& entry, const std::string& to,
                          const std::string& new_id, const Find& find);

  // settle.cc
  void return_held(Batch& batch, const Held& held);
  void delete_held(Batch& batch, const Held& held);
  void hide(Batch& batch, const Held& held, int64_t visibility_ms);
  Result<store::Settled> settle_waiting(Batch& batch, const store::Settlement& settlement, Purpose purpose);
  Result<store::Settled> discard(Batch& batch, const queue::Receipt& receipt, Purpose purpose);
  void delete_waiting(Batch& batch, const std::string& group, uint64_t sequence);

  // sweep.cc
  void drop_expired(Batch& batch, const std::string& group, uint64_t sequence);
  std::size_t sweep_in_flight(Batch& batch, std::size_t budget);
  Result<std::size_t> sweep_plain(Batch& batch, std::size_t budget);
  Result<std::size_t> sweep_groups(Batch& batch, std::size_t budget);

  const Database& database_;
  RecordRoom& room_;
  queue::QueuePtr queue_;
  Counts counts_;
  bool counted_ = false;  // counts_ has changed since it was written
  InFlight in_flight_;
  Lane plain_;  // of messages without a group
  std::unordered_map<std::string, std::unique_ptr<Lane>> lanes_;
  std::map<uint64_t, Lane*> line_;  // lanes that can be taken from, by place
  uint64_t line_cursor_ = 0;        // lanes in line before this place are in memory
  bool line_complete_ = true;       // and so are all the rest
  bool plain_is_next_ = true;
  std::map<uint64_t, Lane*> resting_;  // lanes without messages whose rows are still there, the first first
  uint64_t rests_ = 0;                 // as often as a lane began to rest
  int64_t next_due_ms_ = InFlight::never;  // of those that are delayed
  int64_t last_due_ms_ = 0;
  std::string sweep_after_;  // the key behind which the next sweep goes on
  // No message of a group is kept from a time before, as far as a sweep looks; and what the sweep that goes
  // on has seen so far. Walking through groups means walking over all that was deleted of them.
  int64_t groups_kept_from_ms_ = 0;
  int64_t sweep_kept_from_ms_ = InFlight::never;

  // Of the batch `batch_`: what reads still find although it is gone.
  uint64_t batch_ = 0;
  bool advanced_ = false;
  int64_t fresh_due_ms_ = InFlight::never;  // of delayed messages that it has written
  std::unordered_set<uint64_t> gone_;
  std::unordered_map<uint64_t, uint64_t> fresh_tokens_;  // of messages that it gave out and that wait again
  std::unordered_set<std::string> forgotten_;
};

}  // namespace waybill::engine::queues
