#include "job/decide_step.h"

#include <algorithm>
#include <charconv>

#include "job/fields.h"

namespace waybill::job {

namespace {

using contract::Field;
using contract::Record;

Error no_step(const std::string& step, const std::string& why) {
  return {ErrorKind::invalid, "\"" + step + "\" is no step: " + why, "step"};
}

Error out_of_turn(const std::string& step, const std::string& current) {
  return {ErrorKind::condition_failed,
          "Step " + step + " is not done before step " + current +
              ": the cursor moves by one at a time (rule "
              "steps)",
          "steps"};
}

const Field* named_cursor(const Record& record) {
  const Field* const field = field_at(record, path_of_text(record.work->steps->cursor.text));
  return field != nullptr && !field->one_of.empty() ? field : nullptr;
}

Result<int64_t> index_of(const std::string& step) {
  int64_t index = -1;
  const auto read = std::from_chars(step.data(), step.data() + step.size(), index);
  if (read.ec != std::errc() || read.ptr != step.data() + step.size() || index < 0) {
    return no_step(step, "steps are counted from 0 on");
  }
  return index;
}

Result<int64_t> index_of(const Field& cursor, const std::string& step) {
  const auto found = std::ranges::find(cursor.one_of, step);
  if (found == cursor.one_of.end()) {
    return no_step(step, cursor.name + " has no such word");
  }
  return found - cursor.one_of.begin();
}

Result<StepKind> advance_named(const Record& record, const Field& cursor, Draft& draft,
                               const std::string& step) {
  const std::string current = current_step(record, draft);
  WAYBILL_TRY_ASSIGN(const auto at, index_of(cursor, current));
  WAYBILL_TRY_ASSIGN(const auto done, index_of(cursor, step.empty() ? current : step));
  if (done < at) {
    return StepKind::repeated;
  }
  if (done > at) {
    return out_of_turn(step, current);
  }
  const auto next = static_cast<std::size_t>(at) + 1;
  if (next == cursor.one_of.size()) {
    return StepKind::last;
  }
  draft.set_text(path_of_text(record.work->steps->cursor.text), cursor.one_of[next]);
  return StepKind::next;
}

Result<StepKind> advance_counted(const Record& record, Draft& draft, const std::string& step) {
  const auto& steps = *record.work->steps;
  const Path cursor = path_of_text(steps.cursor.text);
  const int64_t at = draft.integer(cursor).value_or(0);
  const int64_t total = steps.total ? draft.integer(path_of_text(steps.total->text)).value_or(0) : 0;
  int64_t done = at;
  if (!step.empty()) {
    WAYBILL_TRY_ASSIGN(done, index_of(step));
  }
  if (total > 0 && done >= total) {
    return no_step(std::to_string(done), "there are " + std::to_string(total));
  }
  if (done < at) {
    return StepKind::repeated;
  }
  if (done > at) {
    return out_of_turn(step, std::to_string(at));
  }
  draft.set_integer(cursor, at + 1);
  return StepKind::next;
}

}  // namespace

std::string current_step(const Record& record, Draft& draft) {
  const Path cursor = path_of_text(record.work->steps->cursor.text);
  if (const Field* const named = named_cursor(record)) {
    return draft.text(cursor).value_or(named->one_of.front());
  }
  return std::to_string(draft.integer(cursor).value_or(0));
}

Result<StepKind> advance(const Record& record, Draft& draft, const std::string& step) {
  if (const Field* const named = named_cursor(record)) {
    return advance_named(record, *named, draft, step);
  }
  return advance_counted(record, draft, step);
}

}  // namespace waybill::job
