// The part of the comparison that looks at what comes with a change of a record: its other copies, what is
// remembered, counted and told of it.
#include <algorithm>

#include "contract/compare_parts.h"

namespace waybill::contract {

namespace {

// One part of a record, in the words of its kind of change.
class Parts {
 public:
  Parts(const std::string& record, Differences& found) : record_(record), found_(found) {}

  std::string named(std::string_view what) const { return joined({what, " of \"", record_, "\""}); }
  Differences& found() { return found_; }

 private:
  const std::string& record_;
  Differences& found_;
};

bool same(const std::optional<Record::Tags>& a, const std::optional<Record::Tags>& b) {
  return a.has_value() == b.has_value() &&
         (!a || (a->field == b->field && a->within == b->within && a->newest_by == b->newest_by));
}

void compare_tags(const Record& before, const Record& after, Parts& parts) {
  if (same(before.tags, after.tags)) {
    return;
  }
  if (!after.tags) {
    parts.found().migration(parts.named("the search by tags") + " is gone",
                            "whoever searches must have stopped");
    return;
  }
  if (!before.tags) {
    parts.found().safe(parts.named("the search by tags") + " is new",
                       "old records are found by it once the server has gone over them");
    return;
  }
  parts.found().migration(parts.named("the search by tags") + " is another",
                          "what was written for the one before stays, and is found: write old records again");
}

void compare_mirrors(const Record& before, const Record& after, Parts& parts) {
  const auto find = [](const Record& record, const Mirror& wanted) {
    const auto found = std::ranges::find(record.mirrors, wanted.name, &Mirror::name);
    return found == record.mirrors.end() ? nullptr : &*found;
  };
  for (const auto& mirror : after.mirrors) {
    const Mirror* const old = find(before, mirror);
    const std::string what = parts.named(joined({"the mirror \"", mirror.name, "\""}));
    if (old == nullptr) {
      parts.found().safe(what + " is new", "old records have it once the server has gone over them");
    } else if (old->key != mirror.key) {
      parts.found().migration(what + " has another key", "those that are there stay under the one before");
    } else if (old->fields != mirror.fields) {
      parts.found().safe(what + " has other fields",
                         "old mirrors have them once the server has gone over their records");
    }
  }
  for (const auto& mirror : before.mirrors) {
    if (find(after, mirror) == nullptr) {
      parts.found().migration(parts.named(joined({"the mirror \"", mirror.name, "\""})) + " is gone",
                              "whoever reads it must have stopped; those that are there stay");
    }
  }
}

void compare_idempotency(const Record& before, const Record& after, Parts& parts) {
  const std::string what = parts.named("the idempotency key");
  const auto& [old, now] = std::pair(before.idempotency, after.idempotency);
  if (!old || !now) {
    if (old || now) {
      parts.found().safe(what + (now ? " is new" : " is gone"),
                         now ? "those of old records are known once the server has gone over them"
                             : "a request that comes again makes a second record from then on");
    }
    return;
  }
  if (old->field != now->field || old->hash_of != now->hash_of || old->within != now->within ||
      old->record != now->record) {
    parts.found().migration(what + " is another",
                            "a request of before that comes again is not known: wait until its time is over");
  } else if (old->keep_s != now->keep_s) {
    parts.found().safe(what + " is remembered for another time", "it counts from the next record on");
  }
}

bool same(const Event& a, const Event& b) {
  return a.type == b.type && a.on_create == b.on_create && a.on == b.on && a.with == b.with;
}

void compare_events(const Record& before, const Record& after, Parts& parts) {
  const auto has = [](const Record& record, const Event& wanted) {
    return std::ranges::any_of(record.events, [&](const Event& each) { return same(each, wanted); });
  };
  for (const auto& event : after.events) {
    if (!has(before, event)) {
      parts.found().safe(parts.named(joined({"an event \"", event.type, "\""})) + " is new, or another",
                         "it is told from then on");
    }
  }
  for (const auto& event : before.events) {
    if (!has(after, event)) {
      parts.found().migration(parts.named(joined({"an event \"", event.type, "\""})) + " is gone, or another",
                              "whoever listens may need it as it was: change them first");
    }
  }
}

void compare_counters(const Record& before, const Record& after, Parts& parts) {
  const auto same = [](const Record::Counter& a, const Record::Counter& b) {
    return a.name == b.name && a.estimate == b.estimate && a.reserved == b.reserved && a.spent == b.spent;
  };
  if (!std::ranges::equal(before.counters, after.counters, same)) {
    parts.found().safe(parts.named("the counters") + " are others",
                       "records that are being worked on have nothing held back in new ones");
  }
}

void compare_kept(const Record& before, const Record& after, Parts& parts) {
  const auto& [old, now] = std::pair(before.keep_latest, after.keep_latest);
  const bool same = old.has_value() == now.has_value() &&
                    (!old || (old->by == now->by && old->count == now->count && old->then == now->then));
  if (!same) {
    parts.found().safe(parts.named("how many versions are kept") + " is another",
                       "it counts when the next version is made: those beyond it go then");
  }
}

void compare_quotas(const Record& before, const Record& after, Parts& parts) {
  const auto same = [](const Record::Quota& a, const Record::Quota& b) {
    return a.record == b.record && a.field == b.field && a.states == b.states && a.per_day == b.per_day;
  };
  if (!std::ranges::equal(before.quotas, after.quotas, same)) {
    parts.found().safe(parts.named("the quotas") + " are others",
                       "they count from the next record on; nothing is taken away");
  }
}

}  // namespace

void compare_effects(const Record& before, const Record& after, Differences& found) {
  Parts parts(after.name, found);
  compare_tags(before, after, parts);
  compare_mirrors(before, after, parts);
  compare_idempotency(before, after, parts);
  compare_events(before, after, parts);
  compare_counters(before, after, parts);
  compare_kept(before, after, parts);
  compare_quotas(before, after, parts);
  if (before.audited_by != after.audited_by) {
    if (before.audited_by) {
      found.migration(parts.named("the audit trail") + (after.audited_by ? " is another" : " is gone"),
                      "what happens is no longer in the trail of before: tell those who read it");
    } else {
      found.safe(parts.named("the audit trail") + " is new", "it begins with the next change");
    }
  }
}

}  // namespace waybill::contract
