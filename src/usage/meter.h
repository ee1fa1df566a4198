#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "table/table.h"
#include "usage/minute.h"

namespace waybill::usage {

enum class Kind : unsigned char { read, write };

// What one request used of one table or index.
struct Use {
  table::SpaceId space = 0;
  Kind kind = Kind::read;
  uint64_t half_units = 0;
};

// Counts what requests use, until it is written down.
//
// Each thread counts the second it is in for itself, behind a lock that nobody else wants; once a second it
// hands over what it has. So counting costs a look at the clock and a few additions, and takes no memory but
// for spaces that are new to the thread.
//
// Thread safety: every method may be called from any thread.
class Meter {
 public:
  explicit Meter(const Clock& clock) : clock_(clock) {}

  void add(std::span<const Use> uses);
  void add(const Use& use) { add({&use, 1}); }

  // What was counted and not taken yet, of minutes that are over. A request that ends at that moment may come
  // with a later take, for the same minute: whoever keeps them adds up.
  std::vector<SpaceMinute> take_finished();
  // The same with the minute that is not over. A second that it falls into counts as two for the peak.
  std::vector<SpaceMinute> take_all();

 private:
  static constexpr std::size_t shard_count = 64;
  static constexpr std::size_t seconds_a_minute = 60;

  struct Counts {
    uint64_t half_units = 0;
    uint64_t requests = 0;
  };
  struct Slot {
    table::SpaceId space = 0;  // 0: free
    Counts reads;
    Counts writes;
  };
  // One thread's counts of one second, as a table of open addresses. Where there are more threads than
  // shards, some share one.
  struct alignas(64) Shard {
    std::mutex mutex;  // guards all below
    int64_t second = 0;
    std::size_t used = 0;
    std::vector<Slot> slots;
  };
  struct OpenLoad {
    Counts total;
    std::array<uint64_t, seconds_a_minute> half_units_by_second{};
  };
  struct OpenMinute {
    OpenLoad reads;
    OpenLoad writes;
  };

  static Slot& slot_of(Shard& shard, table::SpaceId space);
  static void grow(Shard& shard);
  static Load load_of(const OpenLoad& open);
  static void add_second(OpenLoad& open, std::size_t second, const Counts& counts);
  void hand_over(Shard& shard);
  std::vector<SpaceMinute> take_before(int64_t minute);

  std::array<Shard, shard_count> shards_;
  const Clock& clock_;

  std::mutex mutex_;  // guards open_; taken after a shard's
  std::map<std::pair<int64_t, table::SpaceId>, OpenMinute> open_;
};

}  // namespace waybill::usage
