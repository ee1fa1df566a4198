#include "contract/moves.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace waybill::contract {

namespace {

bool begins_at(const Move& move, const std::string& state) {
  return move.from.empty() ||
         std::ranges::any_of(move.from, [&](const Name& from) { return from.text == state; });
}

// What of the work leads from one state to another.
std::string label_of(const Work& work, const std::string& from, const std::string& to) {
  std::string label;
  const auto add = [&](std::string_view word) { label += (label.empty() ? "" : " / ") + std::string(word); };
  for (const auto& [word, move] :
       {std::pair("enqueue", &work.enqueue), std::pair("claim", &work.claim), std::pair("done", &work.done),
        std::pair("fail", &work.fail), std::pair("cancel", &work.cancel)}) {
    if (*move && (*move)->to.text == to && begins_at(**move, from)) {
      add(word);
    }
  }
  if (work.give_up && work.give_up->to.text == to) {
    add("give up");
  }
  if (work.steps && work.steps->pause) {
    const std::string& pause = work.steps->pause->text;
    if (to == pause) {
      add("pause");
    }
    if (from == pause && work.steps->resume && work.steps->resume->text == to) {
      add("approve");
    }
    if (from == pause && work.steps->reject && work.steps->reject->text == to) {
      add("reject");
    }
  }
  return label;
}

}  // namespace

std::vector<NamedMove> named_moves(const Record& record) {
  std::vector<NamedMove> moves;
  if (!record.status) {
    return moves;
  }
  for (const auto& state : record.status->states) {
    for (const auto& next : state.next) {
      moves.push_back({state.name.text, next.text,
                       record.work ? label_of(*record.work, state.name.text, next.text) : std::string(),
                       false});
    }
  }
  if (record.work && record.work->replay) {
    for (const auto& from : record.work->replay->from) {
      moves.push_back({from.text, record.work->replay->to.text, "replay", record.work->replay->by_hand});
    }
  }
  return moves;
}

}  // namespace waybill::contract
