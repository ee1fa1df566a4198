#include <algorithm>
#include <limits>

#include "base/check.h"
#include "engine/batch.h"
#include "engine/change_log.h"
#include "table/key.h"

// What a batch writes down of the past: the change log, the streams that show it, backups, and notes of what
// holds a past.
namespace waybill::engine {

// An item whose time had passed was not there any more for anybody: first it goes, by the service's own
// doing.
void Batch::note_change(const table::Table& table, std::optional<std::string_view> before, Was was,
                        const MaybeRecord& after) {
  using store::ChangeKind;
  if (before && was == Was::expired) {
    append_change(table, ChangeKind::remove, was, before, std::nullopt);
    before.reset();
  }
  if (!before && !after) {
    return;
  }
  if (before && after && means_the_same(layout::read_record(*before), *after)) {
    return;
  }
  const auto kind = !before ? ChangeKind::insert : after ? ChangeKind::modify : ChangeKind::remove;
  append_change(table, kind, Was::alive, before, after);
}

void Batch::append_change(const table::Table& table, store::ChangeKind kind, Was was,
                          std::optional<std::string_view> before, const MaybeRecord& after) {
  change_log::Entry entry;
  entry.kind = kind;
  entry.expired = was == Was::expired;
  entry.streamed = table.stream.enabled;
  if (before && (table.recovery.enabled || table.stream.shows_before())) {
    entry.before = before;
  }
  const bool keeps_after = after && table.stream.shows_after();
  std::string keys;
  if (!entry.before && !keeps_after) {
    table::append_key_attributes(keys, table.key, after ? after->item : layout::read_record(*before).item);
    entry.keys = keys;
  }
  state_.last_change = {log_ms_, state_.last_change.number + 1};
  noted_changes_ = true;
  const std::string key = change_log::key(table.log, state_.last_change);
  const change_log::Head head(entry, keeps_after);
  const layout::RecordHead after_head(keeps_after ? after->size_bytes : 0);
  const rocksdb::Slice key_part = slice(key);
  const rocksdb::Slice parts[] = {slice(head.view()), slice(entry.keys.value_or("")),
                                  slice(entry.before.value_or("")),
                                  slice(keeps_after ? after_head.view() : std::string_view()),
                                  slice(keeps_after ? after->item.encoded() : std::string_view())};
  writes_.Put(database_.changes(), rocksdb::SliceParts(&key_part, 1), rocksdb::SliceParts(parts, 5));
}

std::string Batch::begin_stream(const table::Table& table) {
  table::Stream stream;
  stream.table_name = table.name;
  stream.view = table.stream.view;
  stream.key = table.key;
  stream.log = table.log;
  stream.begin = {log_ms_, state_.last_change.number + 1};
  // Two streams of a table that begin in the same millisecond still have names of their own.
  int64_t named_ms = log_ms_;
  do {
    stream.label = table::stream_label(named_ms++);
  } while (state_.streams.contains(layout::stream_id(table.name, stream.label)));
  auto label = stream.label;
  put_stream(std::move(stream));
  return label;
}

void Batch::end_stream(const table::Table& table) {
  const auto found = state_.streams.find(layout::stream_id(table.name, table.stream.label));
  WAYBILL_CHECK(found != state_.streams.end());
  table::Stream ended = *found->second;
  ended.end = table::ChangePlace{log_ms_, state_.last_change.number + 1};
  put_stream(std::move(ended));
}

void Batch::put_stream(table::Stream stream) {
  const std::string id = layout::stream_id(stream.table_name, stream.label);
  writes_.Put(database_.meta(), slice(std::string(layout::stream_prefix) + id),
              slice(table::serialize(stream)));
  // The log's time does not go back behind it, whatever the clock does.
  state_.last_change.time_ms = log_ms_;
  noted_changes_ = true;
  state_.streams.insert_or_assign(id, std::make_shared<const table::Stream>(std::move(stream)));
  tables_changed_ = true;
}

void Batch::forget_stream(const table::Stream& stream) {
  const table::SpaceId log = stream.log;
  const std::string id = layout::stream_id(stream.table_name, stream.label);
  writes_.Delete(database_.meta(), slice(std::string(layout::stream_prefix) + id));
  state_.streams.erase(id);
  tables_changed_ = true;
  drop_log_if_unused(log);
}

// A log goes with its table, or with the last stream that still shows it.
void Batch::drop_log_if_unused(table::SpaceId log) {
  const auto uses_log = [&](const auto& entry) { return entry.second->log == log; };
  if (std::ranges::none_of(state_.streams, uses_log) && std::ranges::none_of(state_.tables, uses_log)) {
    trim_log(log, std::numeric_limits<int64_t>::max());
  }
}

void Batch::let_time_reach(int64_t time_ms) {
  state_.last_change.time_ms = std::max(state_.last_change.time_ms, time_ms);
  noted_changes_ = true;
}

void Batch::put_backup(table::BackupPtr backup) {
  writes_.Put(database_.meta(), slice(std::string(layout::backup_prefix) + backup->id),
              slice(table::serialize(*backup)));
  state_.backups.insert_or_assign(backup->id, std::move(backup));
  tables_changed_ = true;
}

void Batch::remove_backup(const table::Backup& backup) {
  const std::string id = backup.id;
  writes_.Delete(database_.meta(), slice(std::string(layout::backup_prefix) + id));
  drop_backup_rows(backup.space);
  state_.backups.erase(id);
  tables_changed_ = true;
}

void Batch::drop_backup_rows(table::SpaceId space) {
  drop_space(database_.backups(), space);
}

void Batch::put_queue(queue::QueuePtr queue) {
  writes_.Put(database_.meta(), slice(std::string(layout::queue_prefix).append(queue->name)),
              slice(queue::serialize(*queue)));
  state_.queues[queue->name] = std::move(queue);
  tables_changed_ = true;
}

void Batch::remove_queue(const queue::Queue& queue) {
  writes_.Delete(database_.meta(), slice(std::string(layout::queue_prefix).append(queue.name)));
  state_.queues.erase(queue.name);
  tables_changed_ = true;
}

void Batch::put_note(const table::Note& note) {
  writes_.Put(database_.meta(), slice(std::string(layout::note_prefix) + note.name),
              slice(table::serialize(note)));
  hold(note.name, note.held);
}

void Batch::forget_note(const std::string& name) {
  writes_.Delete(database_.meta(), slice(std::string(layout::note_prefix) + name));
  hold(name, std::nullopt);
}

// Most notes only tell how far their work is: nobody else has to hear of that.
void Batch::hold(const std::string& note, const std::optional<table::HeldTable>& held) {
  const auto found = state_.held.find(note);
  if (held ? found != state_.held.end() && found->second == *held : found == state_.held.end()) {
    return;
  }
  if (held) {
    state_.held.insert_or_assign(note, *held);
  } else {
    state_.held.erase(found);
  }
  tables_changed_ = true;
}

void Batch::trim_log(table::SpaceId log, int64_t before_ms) {
  writes_.DeleteRange(database_.changes(), slice(change_log::key(log, {})),
                      slice(change_log::key(log, {before_ms, 0})));
}

}  // namespace waybill::engine
