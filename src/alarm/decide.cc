#include "alarm/decide.h"

#include <algorithm>
#include <set>
#include <utility>

namespace waybill::alarm {
namespace {

constexpr int looks_to_agree = 2;

std::set<std::string, std::less<>> dead_letter_queues(const std::vector<queue::QueuePtr>& queues) {
  std::set<std::string, std::less<>> names;
  for (const auto& queue : queues) {
    if (queue->settings.redrive) {
      names.insert(queue->settings.redrive->target);
    }
  }
  return names;
}

std::optional<int64_t> first_of(std::optional<int64_t> a, std::optional<int64_t> b) {
  return a ? a : b;
}

struct Thresholds {
  std::optional<int64_t> depth;
  std::optional<int64_t> age_ms;
};

Thresholds thresholds_of(const queue::Settings& settings, bool is_dead_letter_queue,
                         const Defaults& defaults) {
  const auto usual_depth =
      is_dead_letter_queue ? first_of(defaults.dead_letter_depth, defaults.depth) : defaults.depth;
  return {first_of(settings.alarm_depth, usual_depth), first_of(settings.alarm_age_ms, defaults.age_ms)};
}

void look_at_one(std::vector<Look>& looks, const store::QueueStats& seen, const Thresholds& thresholds,
                 int64_t now_ms) {
  if (thresholds.depth) {
    looks.push_back({{seen.name, Kind::depth}, seen.visible + seen.in_flight, *thresholds.depth});
  }
  if (thresholds.age_ms) {
    const int64_t age_ms = seen.oldest_sent_ms == 0 ? 0 : now_ms - seen.oldest_sent_ms;
    looks.push_back({{seen.name, Kind::age}, std::max<int64_t>(age_ms, 0), *thresholds.age_ms});
  }
}

// Whether the alarm turns by this look.
bool turns(Alarm& alarm, const Look& look) {
  alarm.threshold = look.threshold;
  if ((look.value > look.threshold) == alarm.raised) {
    alarm.contrary_looks = 0;
    return false;
  }
  if (++alarm.contrary_looks < looks_to_agree) {
    return false;
  }
  alarm.raised = !alarm.raised;
  alarm.contrary_looks = 0;
  return true;
}

}  // namespace

std::string_view name_of(Kind kind) {
  return kind == Kind::depth ? "depth" : "age";
}

std::vector<Look> look_at(const std::vector<queue::QueuePtr>& queues,
                          const std::vector<store::QueueStats>& stats, const Defaults& defaults,
                          int64_t now_ms) {
  const auto dead_letter = dead_letter_queues(queues);
  std::map<std::string_view, const store::QueueStats*> by_name;
  for (const auto& each : stats) {
    by_name.emplace(each.name, &each);
  }
  std::vector<Look> looks;
  for (const auto& queue : queues) {
    // One that came or went between the two lists is seen next time.
    if (const auto seen = by_name.find(queue->name); seen != by_name.end()) {
      const auto thresholds = thresholds_of(queue->settings, dead_letter.contains(queue->name), defaults);
      look_at_one(looks, *seen->second, thresholds, now_ms);
    }
  }
  return looks;
}

bool has_thresholds(const std::vector<queue::QueuePtr>& queues, const Defaults& defaults) {
  return defaults.depth || defaults.age_ms || defaults.dead_letter_depth ||
         std::any_of(queues.begin(), queues.end(), [](const auto& queue) {
           return queue->settings.alarm_depth || queue->settings.alarm_age_ms;
         });
}

Decision decide(State state, const std::vector<Look>& looks) {
  Decision decision;
  for (const auto& look : looks) {
    Alarm alarm;
    if (auto known = state.extract(look.subject)) {
      alarm = known.mapped();
    }
    if (turns(alarm, look)) {
      decision.changes.push_back({look.subject, alarm.raised, look.value, look.threshold});
    }
    if (alarm.raised || alarm.contrary_looks > 0) {
      decision.state.emplace(look.subject, alarm);
    }
  }
  // Nobody looks at these any more.
  for (const auto& [subject, alarm] : state) {
    if (alarm.raised) {
      decision.changes.push_back({subject, false, 0, alarm.threshold});
    }
  }
  return decision;
}

}  // namespace waybill::alarm
