#include "engine/writer_state.h"

#include <fcntl.h>

#include <filesystem>
#include <memory>

#include "engine/encryption/file_descriptor.h"
#include "engine/layout.h"

namespace waybill::engine {

namespace {

// Calls take(rest of key, value) for every key of the family "default" that begins with `prefix`.
template <typename Take>
Status for_each(const Database& database, std::string_view prefix, Take take) {
  const std::unique_ptr<rocksdb::Iterator> at(
      database.db().NewIterator(rocksdb::ReadOptions(), database.meta()));
  for (at->Seek(slice(prefix)); at->Valid() && at->key().starts_with(slice(prefix)); at->Next()) {
    WAYBILL_TRY(take(view(at->key()).substr(prefix.size()), view(at->value())));
  }
  if (!at->status().ok()) {
    return to_error(at->status());
  }
  return {};
}

Result<std::string> read(const Database& database, std::string_view key) {
  rocksdb::PinnableSlice value;
  WAYBILL_TRY_ASSIGN(const bool found, database.get(database.meta(), key, value));
  return found ? value.ToString() : std::string();
}

Status load_tables(const Database& database, WriterState& state) {
  return for_each(database, layout::table_prefix,
                  [&](std::string_view name, std::string_view text) -> Status {
                    WAYBILL_TRY_ASSIGN(table::Table read, table::deserialize(text));
                    auto table = std::make_shared<const table::Table>(std::move(read));
                    state.by_space.emplace(table->space, table);
                    state.tables.emplace(name, std::move(table));
                    return {};
                  });
}

Status load_stats(const Database& database, WriterState& state) {
  return for_each(
      database, layout::stats_prefix, [&](std::string_view space, std::string_view value) -> Status {
        state.stats[load_u32_be(space.data())] = {static_cast<int64_t>(load_u64_be(value.data())),
                                                  static_cast<int64_t>(load_u64_be(value.data() + 8))};
        return {};
      });
}

Status load_backfills(const Database& database, WriterState& state) {
  return for_each(database, layout::backfill_prefix,
                  [&](std::string_view space, std::string_view key) -> Status {
                    state.filled_up_to[load_u32_be(space.data())] = key;
                    return {};
                  });
}

Status load_streams(const Database& database, WriterState& state) {
  return for_each(database, layout::stream_prefix, [&](std::string_view id, std::string_view text) -> Status {
    WAYBILL_TRY_ASSIGN(table::Stream stream, table::deserialize_stream(text));
    state.streams.emplace(id, std::make_shared<const table::Stream>(std::move(stream)));
    return {};
  });
}

Status load_backups(const Database& database, WriterState& state) {
  return for_each(database, layout::backup_prefix, [&](std::string_view id, std::string_view text) -> Status {
    WAYBILL_TRY_ASSIGN(table::Backup backup, table::deserialize_backup(text));
    state.backups.emplace(id, std::make_shared<const table::Backup>(std::move(backup)));
    return {};
  });
}

Status load_queues(const Database& database, WriterState& state) {
  return for_each(database, layout::queue_prefix,
                  [&](std::string_view name, std::string_view text) -> Status {
                    WAYBILL_TRY_ASSIGN(queue::Queue queue, queue::deserialize_queue(name, text));
                    state.queues.emplace(name, std::make_shared<const queue::Queue>(std::move(queue)));
                    return {};
                  });
}

Status load_notes(const Database& database, WriterState& state) {
  WAYBILL_TRY_ASSIGN(const auto notes, read_notes(database, {}));
  for (const auto& note : notes) {
    if (note.held) {
      state.held.emplace(note.name, *note.held);
    }
  }
  return {};
}

}  // namespace

Result<std::vector<table::Note>> read_notes(const Database& database, std::string_view prefix) {
  std::vector<table::Note> notes;
  WAYBILL_TRY(for_each(database, std::string(layout::note_prefix).append(prefix),
                       [&](std::string_view rest, std::string_view text) -> Status {
                         WAYBILL_TRY_ASSIGN(auto note,
                                            table::deserialize_note(std::string(prefix).append(rest), text));
                         notes.push_back(std::move(note));
                         return {};
                       }));
  return notes;
}

Status begin_on_disk(const Database& database, const std::string& folder, WriterState& state) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".log") {
      const encryption::FileDescriptor log(entry.path(), O_RDONLY);
      if (!log.is_open() && !std::filesystem::exists(entry.path())) {
        continue;  // RocksDB was done with it
      }
      WAYBILL_TRY(encryption::sync_file(log.number(), entry.path()));
    }
  }
  state.commit += unsynced_commits_max;
  rocksdb::WriteOptions options;
  options.sync = true;
  const auto written = database.db().Put(options, database.meta(), slice(layout::commit_key),
                                         slice(layout::u64_value(state.commit)));
  return written.ok() ? Status() : Status(to_error(written));
}

Result<WriterState> load_state(const Database& database) {
  WriterState state;
  WAYBILL_TRY_ASSIGN(const std::string format, read(database, layout::format_key));
  if (!format.empty() && format != layout::format_version && format != layout::format_before) {
    return Error{ErrorKind::unavailable,
                 "the data is of format " + format + ", this version reads format " +
                     std::string(layout::format_version) + "; use the version that wrote it, or a newer one",
                 {}};
  }
  state.has_format = format == layout::format_version;
  WAYBILL_TRY_ASSIGN(const std::string commit, read(database, layout::commit_key));
  WAYBILL_TRY_ASSIGN(const std::string next_space, read(database, layout::next_space_key));
  state.commit = commit.empty() ? 0 : load_u64_be(commit.data());
  WAYBILL_TRY_ASSIGN(const std::string last_change, read(database, layout::last_change_key));
  if (!last_change.empty()) {
    state.last_change = {static_cast<int64_t>(load_u64_be(last_change.data())),
                         load_u64_be(last_change.data() + sizeof(uint64_t))};
  }
  state.next_space = next_space.empty() ? 1 : load_u32_be(next_space.data());
  state.counters = std::make_unique<Counters>(database);
  WAYBILL_TRY(state.counters->load());
  WAYBILL_TRY(load_tables(database, state));
  WAYBILL_TRY(load_stats(database, state));
  WAYBILL_TRY(load_backfills(database, state));
  WAYBILL_TRY(load_streams(database, state));
  WAYBILL_TRY(load_backups(database, state));
  WAYBILL_TRY(load_notes(database, state));
  WAYBILL_TRY(load_queues(database, state));
  return state;
}

}  // namespace waybill::engine
