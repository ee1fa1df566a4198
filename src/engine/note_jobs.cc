#include "engine/note_jobs.h"

#include <algorithm>
#include <memory>

namespace waybill::engine {

Status PutNoteJob::change(Batch& batch) {
  batch.put_note(note_);
  return {};
}

Status ForgetNoteJob::change(Batch& batch) {
  batch.forget_note(name_);
  return {};
}

Status HoldTableJob::change(Batch& batch) {
  WAYBILL_TRY_ASSIGN(const auto table, find_ready_table(batch.state(), wanted_.table));
  WAYBILL_TRY_ASSIGN(const auto held, hold(*table, batch));
  WAYBILL_TRY_ASSIGN(const auto note, make_(*table, held));
  batch.put_note(note);
  return {};
}

Result<table::HeldTable> HoldTableJob::hold(const table::Table& table, Batch& batch) const {
  table::HeldTable held{table.name, table.space, table::HeldTable::as_it_is, batch.now_ms()};
  if (!table.recovery.enabled) {
    if (wanted_.without_recovery && !wanted_.time_ms) {
      return held;
    }
    return Error{ErrorKind::recovery_unavailable,
                 "Point in time recovery is not enabled for table '" + table.name + "'",
                 {}};
  }
  const int64_t now_ms = std::max(batch.now_ms(), table.recovery.since_ms);
  held.moment_ms = wanted_.time_ms.value_or(now_ms);
  if (held.moment_ms < table.recovery.earliest_ms(now_ms) || held.moment_ms > now_ms) {
    return Error{
        ErrorKind::invalid_export_time,
        "The export time must be within the time that table '" + table.name + "' can be recovered to",
        {}};
  }
  held.until = {held.moment_ms + 1, 0};
  // Whatever is committed behind this job happens after that moment.
  batch.let_time_reach(held.until.time_ms);
  return held;
}

Result<table::TablePtr> BeginImportJob::change(Batch& batch) {
  table_.state = table::TableState::being_made;
  table_.origin.kind = table::OriginKind::import;
  WAYBILL_TRY_ASSIGN(auto made, add_table(std::move(table_), batch));
  batch.put_note(note_);
  return made;
}

Status EndImportJob::change(Batch& batch) {
  const auto found = batch.state().tables.find(table_);
  const bool is_ours = found != batch.state().tables.end() &&
                       found->second->state == table::TableState::being_made &&
                       found->second->origin.kind == table::OriginKind::import;
  if (is_ours && end_ == store::ImportEnd::keep) {
    auto ready = std::make_shared<table::Table>(*found->second);
    ready->state = table::TableState::ready;
    batch.put_table(std::move(ready));
  } else if (is_ours) {
    const auto gone = found->second;
    batch.remove_table(*gone);
  }
  batch.put_note(note_);
  return {};
}

}  // namespace waybill::engine
