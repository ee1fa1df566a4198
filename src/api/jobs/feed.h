#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "base/result.h"
#include "http/stream.h"
#include "item/value.h"
#include "store/store.h"

namespace waybill::api::jobs {

// Tells listeners what happens to records, as server-sent events: rows of the journal, in the order of their
// commits, each with its number for an id. Whoever comes back with the id of the last one he has seen gets
// what came after it: of one record from the journal, of many what is kept in memory here. Where that is not
// enough, or more than can be told at once, he gets an event "reset" first, and has to look at the records
// themselves.
//
// It has a thread of its own, which puts each row into words once for all who listen. Nothing is kept before
// the first of them comes.
//
// Thread safety: every method may be called from any thread; none blocks, but for the destructor.
class Feed {
 public:
  static constexpr std::size_t listeners_max = 1000;
  static constexpr std::size_t kept_bytes_max = 4 << 20;
  static constexpr std::size_t waiting_rows_max = 100'000;
  // What a listener is told at once of what he missed: half of what may wait for him (http::StreamOptions).
  static constexpr std::size_t missed_bytes_max = 128 << 10;

  // Follows the journal of `store`, which outlives it.
  explicit Feed(store::Store& store);
  // Ends all streams.
  ~Feed();
  Feed(const Feed&) = delete;
  Feed& operator=(const Feed&) = delete;

  struct Interest {
    std::string path;  // "orchestrator/job/", or that of one record
    bool is_one = false;
    std::optional<uint64_t> after;  // the number of the last row seen
  };

  // Makes room for a listener and returns his number. Error unavailable where there are too many.
  Result<uint64_t> admit();
  // From here on the stream is told. He who was admitted either joins or leaves.
  void join(uint64_t number, Interest interest, http::Stream stream);
  void leave(uint64_t number);

  // Rows of the journal that were committed, in order.
  void publish(std::vector<item::Item> rows);

  std::size_t listeners() const;

 private:
  struct Listener {
    Interest interest;
    http::Stream stream;
    uint64_t told = 0;  // the number of the last row he was told of
  };
  struct Joining {
    uint64_t number = 0;
    Listener listener;
  };
  struct Leaving {
    uint64_t number = 0;
  };
  using Rows = std::vector<item::Item>;
  using Event = std::variant<Joining, Leaving, Rows>;

  // A row in its final form.
  struct Told {
    uint64_t seq = 0;
    std::string path;
    std::string text;
  };

  void start();
  void run();
  void handle(Joining& joining);
  void handle(Leaving& leaving);
  void handle(Rows& rows);
  void reset_all();
  static bool is_for(const Listener& listener, const Told& row);
  static bool tell(Listener& listener, const Told& row);
  static bool tell_missed(Listener& listener, const std::string& text);
  bool catch_up(Listener& listener);
  bool catch_up_from_journal(Listener& listener);
  bool catch_up_from_memory(Listener& listener);
  void keep(Told row);
  void push(Event event);

  store::Store& store_;
  std::once_flag started_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<Event> events_;
  std::size_t waiting_rows_ = 0;
  bool lost_ = false;  // rows were thrown away, because too many waited
  bool stopping_ = false;
  uint64_t admitted_ = 0;  // numbers given so far
  std::size_t guests_ = 0;

  // Of the thread alone.
  std::map<uint64_t, Listener> listeners_;
  std::deque<Told> kept_;
  std::size_t kept_bytes_ = 0;
  std::optional<uint64_t> complete_after_;  // all rows with greater numbers are in kept_

  std::thread thread_;
};

}  // namespace waybill::api::jobs
