#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "queue/queue.h"
#include "store/queues.h"

// When an alarm begins and when it ends, decided from what is seen of the queues.
namespace waybill::alarm {

enum class Kind : unsigned char { depth, age };

// "depth", "age".
std::string_view name_of(Kind kind);

// What an alarm is about.
struct Subject {
  std::string queue;
  Kind kind = Kind::depth;

  friend auto operator<=>(const Subject&, const Subject&) = default;
};

// For queues that do not say it themselves; absent: no alarm.
struct Defaults {
  std::optional<int64_t> depth;
  std::optional<int64_t> age_ms;
  std::optional<int64_t> dead_letter_depth;  // of queues that others give messages up to, before `depth`
};

// One value that has a threshold, as it is now. Depths are messages, visible or in flight; ages are
// milliseconds.
struct Look {
  Subject subject;
  int64_t value = 0;
  int64_t threshold = 0;
};

// What is to be looked at, in any order.
std::vector<Look> look_at(const std::vector<queue::QueuePtr>& queues,
                          const std::vector<store::QueueStats>& stats, const Defaults& defaults,
                          int64_t now_ms);

// Whether any queue has a threshold.
bool has_thresholds(const std::vector<queue::QueuePtr>& queues, const Defaults& defaults);

struct Alarm {
  bool raised = false;
  int64_t threshold = 0;   // the last one
  int contrary_looks = 0;  // how many in a row have said that it is not as `raised` says
};

// Alarms that are raised, or about to be. Others are not there.
using State = std::map<Subject, Alarm>;

// An alarm that begins, or ends.
struct Change {
  Subject subject;
  bool raised = false;
  int64_t value = 0;
  int64_t threshold = 0;
};

struct Decision {
  State state;
  std::vector<Change> changes;
};

// An alarm is raised where two looks in a row find more than the threshold, and cleared where two find no
// more than it, or where the queue or its threshold is gone.
Decision decide(State state, const std::vector<Look>& looks);

}  // namespace waybill::alarm
