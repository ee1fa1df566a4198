// The part of the comparison that looks at states and at the work on them.
#include <algorithm>

#include "contract/compare_parts.h"

namespace waybill::contract {

namespace {

bool same(const std::optional<Retention>& a, const std::optional<Retention>& b) {
  return a.has_value() == b.has_value() && (!a || (a->seconds == b->seconds && a->then == b->then));
}

bool same(const std::optional<Move>& a, const std::optional<Move>& b) {
  return a.has_value() == b.has_value() &&
         (!a || (a->from == b->from && a->to == b->to && a->by_hand == b->by_hand &&
                 a->dead_letter == b->dead_letter));
}

bool same(const std::optional<Work::GiveUp>& a, const std::optional<Work::GiveUp>& b) {
  return a.has_value() == b.has_value() && (!a || (a->after == b->after && a->to == b->to));
}

bool same(const std::optional<Work::Arrival>& a, const std::optional<Work::Arrival>& b) {
  return a.has_value() == b.has_value() && (!a || (a->bucket == b->bucket && a->key == b->key));
}

bool same(const std::optional<Work::Steps>& a, const std::optional<Work::Steps>& b) {
  return a.has_value() == b.has_value() &&
         (!a || (a->cursor == b->cursor && a->total == b->total && a->record == b->record &&
                 a->pause == b->pause && a->resume == b->resume && a->reject == b->reject));
}

bool same(const std::optional<Work::BuiltIn>& a, const std::optional<Work::BuiltIn>& b) {
  return a.has_value() == b.has_value() && (!a || (a->worker == b->worker && a->with == b->with));
}

void compare_queues(const Work::Queue& before, const Work::Queue& after, const std::string& what,
                    Differences& found) {
  if (before.name != after.name) {
    found.migration(joined({what, " has another queue"}), "the old one must be empty before its workers go");
  }
  if (before.dead_letters != after.dead_letters) {
    found.migration(joined({what, " has another dead-letter queue"}),
                    "what is in the old one is found no more: replay it first");
  }
  if (before.receives_max != after.receives_max || before.visibility_s != after.visibility_s) {
    found.safe(joined({what, " has other limits of its queue"}),
               "a queue that is there keeps its own: change them with SetQueueAttributes");
  }
}

void compare_moves(const Work& before, const Work& after, const std::string& what, Differences& found) {
  const auto compare = [&](std::string_view verb, const auto& old, const auto& now) {
    if (!same(old, now)) {
      found.safe(joined({what, ": \"", verb, "\" is another"}), "it counts from the next one on");
    }
  };
  compare("enqueue", before.enqueue, after.enqueue);
  compare("enqueue", before.arrival, after.arrival);
  compare("claim", before.claim, after.claim);
  compare("done", before.done, after.done);
  compare("fail", before.fail, after.fail);
  compare("give_up", before.give_up, after.give_up);
  compare("cancel", before.cancel, after.cancel);
  compare("replay", before.replay, after.replay);
  if (!same(before.steps, after.steps)) {
    found.migration(joined({what, " has other steps"}),
                    "jobs that are on their way have the old ones: let them end first");
  }
  if (before.attempts != after.attempts || before.next_attempt_at != after.next_attempt_at ||
      before.error_code != after.error_code || before.error_message != after.error_message) {
    found.migration(joined({what, " notes its attempts in other fields"}),
                    "jobs that are on their way have them in the old ones: let them end first");
  }
}

}  // namespace

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
  if (before.status->start != after.status->start) {
    found.safe(joined({what, " begins as \"", after.status->start.text, "\""}), "only new records do");
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
    if (old != nullptr && !same(old->retention, state.retention)) {
      found.safe(joined({"\"", state.name.text, "\" of \"", after.name, "\" is kept for another time"}),
                 "it counts for those that end from then on");
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
  compare_queues(before.work->queue, after.work->queue, what, found);
  compare_moves(*before.work, *after.work, what, found);
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
  if (!same(before.work->built_in, after.work->built_in)) {
    found.safe(joined({what, " is done by another built-in worker, or told otherwise"}),
               "it counts from the next claim on");
  }
  if (before.work->backoff_s != after.work->backoff_s) {
    found.safe(joined({what, " waits otherwise between attempts"}), "it counts from the next failure on");
  }
}

}  // namespace waybill::contract
