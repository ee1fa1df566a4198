#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/batch.h"
#include "engine/queues/live_queue.h"
#include "store/queues.h"

namespace waybill::engine::queues {

// A receive that waits for a message.
struct Waiter {
  uint64_t id = 0;
  uint32_t count_max = 1;
  std::optional<int64_t> visibility_ms;
  bool is_tentative = false;
  int64_t wait_ms = 0;
  int64_t deadline_ms = 0;
  store::ReceiveDone done;
};

// All queues, and who waits for a message of them. A waiting receive is served by the very batch that makes a
// message available: it learns of it as soon as the sender does.
//
// Used by the writer thread alone.
class Book {
 public:
  explicit Book(const Database& database) : database_(database) {}
  Book(const Book&) = delete;
  Book& operator=(const Book&) = delete;

  Status load(const Catalog::Queues& queues, int64_t now_ms);

  // Null where there is none. A queue that is asked for by name counts as touched: those who wait for it are
  // looked at when the batch ends.
  LiveQueue* find(const std::string& name);
  std::vector<std::string> names() const;

  Status create(Batch& batch, queue::Queue queue);
  void change(Batch& batch, queue::Queue queue);
  void remove(Batch& batch, const std::string& name);
  void purge(Batch& batch, const std::string& name);

  // Takes messages; those that were received too often go to the queue's dead letters.
  struct Wanted {
    uint32_t count_max = 1;
    std::optional<int64_t> visibility_ms;
    bool is_tentative = false;
  };
  Result<std::vector<store::Delivery>> take(Batch& batch, LiveQueue& queue, const Wanted& wanted);

  void wait(const std::string& name, Waiter waiter);
  void cancel(const std::string& name, uint64_t waiter_id);

  // The last part of a batch's deciding: gives what there is to those who wait.
  void serve(Batch& batch);
  // Adds the counts to the batch.
  void seal(Batch& batch);
  // The batch is decided: answers those whose receives are tentative, of messages that were on disk before.
  void finish_tentative();
  // The batch is written: answers those who were served with messages that were on disk before.
  void finish_without_sync();
  // The batch is on disk: answers all who were served.
  void finish();

  // When the next look at those who wait is due; InFlight::never where nobody waits.
  int64_t next_event_ms() const { return schedule_.empty() ? InFlight::never : schedule_.begin()->first; }

 private:
  struct Seat {
    std::unique_ptr<LiveQueue> queue;
    std::map<uint64_t, Waiter> waiters;                // by id, which rises
    std::set<std::pair<int64_t, uint64_t>> deadlines;  // of the waiters, by time
    bool touched = false;
    int64_t scheduled_ms = InFlight::never;
  };

  struct Served {
    store::ReceiveDone done;
    Result<std::vector<store::Delivery>> result;
    bool is_tentative;
    bool is_fresh;
  };

  void touch(Seat& seat);
  void answer(Seat& seat, uint64_t waiter_id, Result<std::vector<store::Delivery>> result,
              bool is_fresh = false);
  template <typename Is>
  void finish_those(Is is_one);
  void serve_seat(Batch& batch, Seat& seat);
  void answer_late(Seat& seat, int64_t now_ms);
  void schedule(Seat& seat);
  void unschedule(Seat& seat);

  static constexpr std::size_t record_room_bytes = 16ULL << 20;

  const Database& database_;
  RecordRoom room_{record_room_bytes};
  std::map<std::string, Seat, std::less<>> seats_;
  std::vector<Seat*> touched_;
  std::vector<Seat*> written_;  // touched ones, until their counts are written
  std::set<std::pair<int64_t, Seat*>> schedule_;
  std::vector<Served> served_;
};

Error queue_not_found();

// Whether one of them was written by this batch.
bool is_fresh(const std::vector<store::Delivery>& given, const Batch& batch);

}  // namespace waybill::engine::queues
