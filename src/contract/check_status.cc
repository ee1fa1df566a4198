// The part of the check that looks at status machines and at the work on them.
#include <algorithm>
#include <set>
#include <utility>

#include "contract/check_parts.h"

namespace waybill::contract {

namespace {

using State = StatusMachine::State;

// The states that can be reached from this one, itself among them, without going through one of `borders`.
std::set<std::string> reachable(const StatusMachine& machine, const std::string& from,
                                const std::set<std::string>& borders = {}) {
  std::set<std::string> seen;
  std::vector<std::string> open{from};
  while (!open.empty()) {
    const std::string name = std::move(open.back());
    open.pop_back();
    if (borders.contains(name) || !seen.insert(name).second) {
      continue;
    }
    if (const State* const state = machine.find(name)) {
      for (const auto& next : state->next) {
        open.push_back(next.text);
      }
    }
  }
  return seen;
}

bool leads_to(const State& state, const std::set<std::string>& names) {
  return std::ranges::any_of(state.next, [&](const Name& next) { return names.contains(next.text); });
}

// The states that mean that work has failed.
std::set<std::string> failures(const Record& record) {
  std::set<std::string> names;
  if (record.work && record.work->fail) {
    names.insert(record.work->fail->to.text);
  }
  if (record.work && record.work->give_up) {
    names.insert(record.work->give_up->to.text);
  }
  return names;
}

// The states in which somebody works on the record: from the claim to its end.
std::set<std::string> working(const Record& record) {
  std::set<std::string> names;
  if (!record.work || !record.work->claim) {
    return names;
  }
  std::set<std::string> borders = failures(record);
  for (const auto& state : record.status->states) {
    if (state.is_end) {
      borders.insert(state.name.text);
    }
  }
  for (const auto& name : record.work->claim->from) {
    borders.insert(name.text);
  }
  return reachable(*record.status, record.work->claim->to.text, borders);
}

void check_move(const Record& record, const char* key, const std::optional<Move>& move, Findings& findings) {
  if (!move) {
    return;
  }
  const StatusMachine& machine = *record.status;
  const std::string what = "the record \"" + record.name + "\": " + key;
  if (machine.find(move->to.text) == nullptr) {
    findings.error(move->to.place, what + " leads to \"" + move->to.text + "\", which is no state",
                   "use a state of its moves");
    return;
  }
  for (const auto& from : move->from) {
    const State* const state = machine.find(from.text);
    if (state == nullptr) {
      findings.error(from.place, what + " begins at \"" + from.text + "\", which is no state",
                     "use a state of its moves");
    } else if (!move->by_hand && !machine.may_move(from.text, move->to.text)) {
      findings.error(
          from.place,
          what + " goes from " + from.text + " to " + move->to.text + ", which its moves do not allow",
          "add " + move->to.text + " to the moves of " + from.text +
              ", or say by_hand: true where only people may do it");
    }
  }
}

// Attempts can be used up while somebody works, and when a failed record would be taken again.
void check_give_up(const Record& record, Findings& findings) {
  const Work& work = *record.work;
  if (!work.give_up) {
    return;
  }
  const Name& to = work.give_up->to;
  if (record.status->find(to.text) == nullptr) {
    check_move(record, "give_up", Move{to.place, {}, to, false, false}, findings);
    return;
  }
  std::set<std::string> seen{to.text};
  for (const auto& [key, move] : {std::pair("claim", &work.claim), std::pair("fail", &work.fail)}) {
    if (!*move || record.status->find((*move)->to.text) == nullptr || !seen.insert((*move)->to.text).second) {
      continue;
    }
    const std::string& from = (*move)->to.text;
    if (!record.status->may_move(from, to.text)) {
      findings.error(to.place,
                     joined({"the record \"", record.name, "\": give_up goes from ", from, ", where ", key,
                             " leads, to ", to.text, ", which its moves do not allow"}),
                     joined({"add ", to.text, " to the moves of ", from}));
    }
  }
}

}  // namespace

void check_status(const Record& record, Findings& findings) {
  if (!record.status) {
    return;
  }
  const StatusMachine& machine = *record.status;
  const std::string what = "the record \"" + record.name + "\"";
  if (machine.find(machine.start.text) == nullptr) {
    findings.error(machine.start.place, what + " starts in \"" + machine.start.text + "\", which is no state",
                   "use a state of its moves");
    return;
  }
  std::set<std::string> seen = reachable(machine, machine.start.text);
  if (record.work && record.work->steps && record.work->steps->resume) {
    seen.insert(record.work->steps->resume->text);
  }
  const std::set<std::string> failed = failures(record);
  const std::set<std::string> busy = working(record);
  for (const auto& state : machine.states) {
    const std::string& name = state.name.text;
    if (!seen.contains(name)) {
      findings.warning(state.name.place, joined({what, " never comes to \"", name, "\""}),
                       "add a move that leads there, or take the state away");
    }
    if (state.is_end && !state.next.empty()) {
      findings.warning(state.name.place,
                       joined({what, " can leave \"", name, "\", which is one of its ends"}),
                       joined({"take the moves of ", name,
                               " away, or take it out of the ends; a way back for people is work: replay, "
                               "by_hand: true"}));
    }
    if (!state.is_end && state.next.empty()) {
      findings.error(state.name.place,
                     joined({what, " cannot leave \"", name, "\", which is none of its ends"}),
                     "add it to the ends, or give it moves");
    }
    if (busy.contains(name) && !failed.empty() && !leads_to(state, failed)) {
      findings.warning(state.name.place,
                       joined({what, " is worked on in \"", name,
                               "\" and cannot fail there: a worker that breaks leaves it for ever"}),
                       joined({"add ", record.work->fail ? record.work->fail->to.text : *failed.begin(),
                               " to the moves of ", name}));
    }
  }
  for (const auto& event : record.events) {
    for (const auto& state : event.on) {
      if (machine.find(state.text) == nullptr) {
        findings.error(state.place,
                       joined({what, " has an event on \"", state.text, "\", which is no state"}),
                       "use a state of its moves, or create");
      }
    }
  }
}

void check_work(const Record& record, Findings& findings) {
  if (!record.work) {
    return;
  }
  const Work& work = *record.work;
  if (!record.status) {
    findings.error(work.place, "the record \"" + record.name + "\" is worked on and has no status",
                   "add a status: field, start, moves and ends");
    return;
  }
  check_move(record, "enqueue", work.enqueue, findings);
  check_move(record, "claim", work.claim, findings);
  check_move(record, "done", work.done, findings);
  check_move(record, "fail", work.fail, findings);
  check_move(record, "cancel", work.cancel, findings);
  check_move(record, "replay", work.replay, findings);
  if (!work.claim || !work.done || !work.fail) {
    findings.error(work.place, "the work on \"" + record.name + "\" lacks a claim, a done or a fail",
                   "say which state each leads to");
  }
  check_give_up(record, findings);
  if (work.steps && work.steps->pause) {
    for (const auto& state : {work.steps->pause, work.steps->resume, work.steps->reject}) {
      if (state && record.status->find(state->text) == nullptr) {
        findings.error(
            state->place,
            "the review of \"" + record.name + "\" names \"" + state->text + "\", which is no state",
            "use a state of its moves");
      }
    }
  }
}

}  // namespace waybill::contract
