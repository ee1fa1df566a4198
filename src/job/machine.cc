#include "job/machine.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>

namespace waybill::job {

namespace {

using contract::Record;
using contract::StatusMachine;
using Came = std::map<std::string, std::string>;  // state: the one before it on the way

// All states that can be reached through those that `passes` allows, with how.
Came walk(const StatusMachine& machine, const std::string& from,
          const std::function<bool(const std::string&)>& passes) {
  Came came{{from, ""}};
  std::deque<std::string> next{from};
  while (!next.empty()) {
    const std::string at = next.front();
    next.pop_front();
    const auto* const state = machine.find(at);
    if (state == nullptr || !passes(at)) {
      continue;
    }
    for (const auto& to : state->next) {
      if (came.emplace(to.text, at).second) {
        next.push_back(to.text);
      }
    }
  }
  return came;
}

// Whether a record in that state is in nobody's hands.
bool is_idle(const Record& record, const std::string& state) {
  const auto& work = *record.work;
  const bool waits_for_worker =
      std::ranges::any_of(work.claim->from, [&](const auto& from) { return from.text == state; });
  const bool waits_for_decision = work.steps && work.steps->pause && work.steps->pause->text == state;
  const bool has_failed = work.fail && work.fail->to.text == state;
  return is_end(record, state) || waits_for_worker || waits_for_decision || has_failed;
}

}  // namespace

bool begins_at(const contract::Move& move, const std::string& state) {
  return move.from.empty() ||
         std::ranges::any_of(move.from, [&](const auto& from) { return from.text == state; });
}

bool is_end(const Record& record, const std::string& state) {
  const auto* const found = record.status ? record.status->find(state) : nullptr;
  return found != nullptr && found->is_end;
}

bool is_working(const Record& record, const std::string& state) {
  if (!record.status || !record.work || !record.work->claim || is_idle(record, state)) {
    return false;
  }
  const auto reached = walk(*record.status, record.work->claim->to.text,
                            [&](const std::string& at) { return !is_idle(record, at); });
  return reached.contains(state);
}

bool may_retry(const Record& record) {
  if (!record.status || !record.work || !record.work->claim || !record.work->fail) {
    return false;
  }
  const auto& claim = *record.work->claim;
  const std::string& failed = record.work->fail->to.text;
  return begins_at(claim, failed) && record.status->may_move(failed, claim.to.text);
}

std::vector<std::string> way(const StatusMachine& machine, const std::string& from, const std::string& to) {
  const auto came = walk(machine, from, [&](const std::string& at) {
    const auto* const state = machine.find(at);
    return at == from || !state->is_end;
  });
  std::vector<std::string> states;
  if (from == to || !came.contains(to)) {
    return states;
  }
  for (std::string at = to; at != from; at = came.at(at)) {
    states.push_back(at);
  }
  std::ranges::reverse(states);
  return states;
}

std::string first_state(const Record& record) {
  if (!record.status) {
    return {};
  }
  const bool is_queued = record.work && record.work->enqueue;
  return is_queued ? record.work->enqueue->to.text : record.status->start.text;
}

}  // namespace waybill::job
