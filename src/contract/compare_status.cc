// The part of the comparison that looks at states and at the work on them.
#include <algorithm>

#include "contract/compare_parts.h"

namespace waybill::contract {

void compare_status(const Record& before, const Record& after, Differences& found) {
  const std::string what = joined({"the record \"", after.name, "\""});
  if (before.status.has_value() != after.status.has_value()) {
    found.migration(
        joined({what, after.status ? " has a status now" : " has no status any more"}),
        after.status ? "old records need one of its states first" : "nothing would hold them to an order");
    return;
  }
  if (!after.status) {
    return;
  }
  if (before.status->field != after.status->field) {
    found.migration(joined({what, " has its status in another field"}),
                    "old records must have it there first");
    return;
  }
  for (const auto& state : after.status->states) {
    const auto* const old = before.status->find(state.name.text);
    if (old == nullptr) {
      found.safe(joined({what, " may be \"", state.name.text, "\""}), "no record is yet");
    } else if (old->is_end != state.is_end) {
      found.migration(joined({"\"", state.name.text, "\" of \"", after.name,
                              state.is_end ? "\" is an end now" : "\" is no end any more"}),
                      state.is_end ? "records in it can no longer be moved: move them first"
                                   : "records that ended there are no longer over");
    }
    for (const auto& next : state.next) {
      if (old != nullptr && !before.status->may_move(state.name.text, next.text)) {
        found.safe(joined({what, " may go from ", state.name.text, " to ", next.text}),
                   "what was right stays right");
      }
    }
  }
  for (const auto& state : before.status->states) {
    if (after.status->find(state.name.text) == nullptr) {
      found.migration(joined({what, " may no longer be \"", state.name.text, "\""}),
                      "records that are could not be written any more: move them first");
      continue;
    }
    for (const auto& next : state.next) {
      if (after.status->find(next.text) != nullptr && !after.status->may_move(state.name.text, next.text)) {
        found.migration(joined({what, " may no longer go from ", state.name.text, " to ", next.text}),
                        "workers that are on their way there would be refused: let them end first");
      }
    }
  }
}

void compare_work(const Record& before, const Record& after, Differences& found) {
  const std::string what = joined({"the work on \"", after.name, "\""});
  if (before.work.has_value() != after.work.has_value()) {
    found.migration(joined({what, after.work ? " is new" : " is gone"}),
                    after.work ? "records that wait have no message yet" : "messages of it may still wait");
    return;
  }
  if (!after.work) {
    return;
  }
  if (before.work->queue.name != after.work->queue.name) {
    found.migration(joined({what, " has another queue"}), "the old one must be empty before its workers go");
  }
  for (const auto& [key, formula] : after.work->message) {
    const auto old = std::ranges::find(before.work->message, key, &std::pair<std::string, Formula>::first);
    if (old == before.work->message.end()) {
      found.safe(joined({what, " has \"", key, "\" in its messages"}),
                 "workers pass over what they do not know");
    } else if (old->second != formula) {
      found.migration(joined({what, " makes \"", key, "\" of its messages otherwise"}),
                      "workers of today may read it in the old way");
    }
  }
  for (const auto& [key, formula] : before.work->message) {
    if (std::ranges::find(after.work->message, key, &std::pair<std::string, Formula>::first) ==
        after.work->message.end()) {
      found.migration(joined({what, " has no \"", key, "\" in its messages any more"}),
                      "workers of today may need it: change them first");
    }
  }
  if (before.work->backoff_s != after.work->backoff_s) {
    found.safe(joined({what, " waits otherwise between attempts"}), "it counts from the next failure on");
  }
}

}  // namespace waybill::contract
