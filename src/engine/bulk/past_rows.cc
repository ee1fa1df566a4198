#include "engine/bulk/past_rows.h"

#include <utility>

#include "engine/change_log.h"
#include "table/key.h"

namespace waybill::engine {

namespace {

constexpr std::size_t undo_memory_bytes = 64 << 20;

}  // namespace

PastRows::PastRows(const Database& database, const std::string& scratch_prefix, const table::Table& table,
                   const Past& past, const MomentPtr& moment)
    : table_(table),
      time_ms_(past.time_ms),
      present_(database, database.items(), table.space, moment, past.after),
      undone_(database, scratch_prefix + "undo-", undo_memory_bytes, RowSorter::Keep::first_added) {}

Result<std::unique_ptr<PastRows>> PastRows::open(const Database& database, const std::string& scratch_prefix,
                                                 const table::Table& table, const Past& past,
                                                 const MomentPtr& moment) {
  std::unique_ptr<PastRows> rows(new PastRows(database, scratch_prefix, table, past, moment));
  WAYBILL_TRY(rows->read_log(database, *moment, past));
  WAYBILL_TRY_ASSIGN(rows->undo_, rows->undone_.sorted());
  return rows;
}

Status PastRows::read_log(const Database& database, const Moment& moment, const Past& past) {
  if (table_.log == 0) {
    return {};
  }
  const std::string begin = change_log::key(table_.log, past.until);
  const std::string end = change_log::key(table_.log + 1, {});
  const rocksdb::Slice upper = slice(end);
  rocksdb::ReadOptions options;
  options.snapshot = moment.snapshot();
  options.iterate_upper_bound = &upper;
  options.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> at(database.db().NewIterator(options, database.changes()));
  for (at->Seek(slice(begin)); at->Valid(); at->Next()) {
    const auto entry = change_log::read(view(at->value()));
    const auto item = entry.keys     ? item::ItemView(*entry.keys)
                      : entry.before ? layout::read_record(*entry.before).item
                                     : layout::read_record(*entry.after).item;
    const auto key = table::primary_key(table_.key, item);
    if (past.after.empty() || key > past.after) {
      WAYBILL_TRY(undone_.add(key, entry.before.value_or("")));
    }
  }
  return at->status().ok() ? Status() : Status(to_error(at->status()));
}

Result<bool> PastRows::next() {
  for (;;) {
    WAYBILL_TRY_ASSIGN(const bool more, step());
    if (!more || !is_gone()) {
      return more;
    }
  }
}

// Goes to the lesser of the two keys; where they are the same, what was before counts.
Result<bool> PastRows::step() {
  if (!begun_ || at_present_) {
    WAYBILL_TRY_ASSIGN(has_present_, present_.next());
  }
  if (!begun_ || at_undo_) {
    WAYBILL_TRY_ASSIGN(has_undo_, undo_->next());
  }
  begun_ = true;
  const int order = !has_undo_ ? -1 : !has_present_ ? 1 : present_.key().compare(undo_->key());
  at_present_ = has_present_ && order <= 0;
  at_undo_ = has_undo_ && order >= 0;
  return at_present_ || at_undo_;
}

bool PastRows::is_gone() const {
  if (record().empty()) {
    return true;
  }
  const bool could_expire = table_.ttl.enabled() && table_.ttl.changed_at_ms <= time_ms_;
  return could_expire && table::is_expired(table_.ttl, layout::read_record(record()).item, time_ms_ / 1000);
}

Status read_past(PastRows& rows, store::Visitor& visitor) {
  for (;;) {
    WAYBILL_TRY_ASSIGN(const bool more, rows.next());
    if (!more) {
      return {};
    }
    const auto record = layout::read_record(rows.record());
    if (!visitor.visit(rows.key(), record.item, record.size_bytes)) {
      return {};
    }
  }
}

}  // namespace waybill::engine
