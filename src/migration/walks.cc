// The part of Migrations that walks over tables in the background.
#include <algorithm>
#include <chrono>
#include <utility>

#include "base/log.h"
#include "base/thread_name.h"
#include "migration/migrations.h"

namespace waybill::migration {

namespace {

constexpr int64_t piece_records_max = 100;
constexpr int64_t pieces_per_second = 10;  // where the rate is limited, so that it is even
constexpr int64_t keep_every_ms = 1'000;

std::size_t piece_records(int64_t rate_per_second) {
  if (rate_per_second <= 0) {
    return piece_records_max;
  }
  return static_cast<std::size_t>(
      std::clamp<int64_t>(rate_per_second / pieces_per_second, 1, piece_records_max));
}

void add(const Piece& piece, Migration& migration) {
  migration.place = piece.place;
  migration.seen += piece.seen;
  migration.changed += piece.changed;
  migration.refused += piece.refused;
  if (!piece.complaint.empty()) {
    migration.complaint = piece.complaint;
  }
}

}  // namespace

void Migrations::ensure_walk(const std::string& table) {
  const std::lock_guard lock(walks_mutex_);
  Walk& walk = walks_[table];
  wake_.notify_all();
  if (walk.is_running || stopping_) {
    return;
  }
  if (walk.thread.joinable()) {
    walk.thread.join();  // it has nothing left to do
  }
  walk.is_running = true;
  walk.thread = std::thread([this, table] { this->walk(table); });
}

void Migrations::walk(const std::string& table) {
  name_this_thread("migration");
  while (const auto from = next_to_walk(table)) {
    if (auto walked = walk_on(from); !walked) {
      halt(from, walked.error());
    }
  }
}

// Null where there is nothing to do: the thread is over then.
MigrationPtr Migrations::next_to_walk(const std::string& table) {
  const std::lock_guard lock(walks_mutex_);
  auto migration = book_.find(table);
  if (!stopping_ && migration && is_walk(migration->step) && migration->failure.empty()) {
    return migration;
  }
  walks_[table].is_running = false;
  return nullptr;
}

// Goes on from where the migration is, until all records are done, somebody takes another step, or the store
// closes.
Status Migrations::walk_on(const MigrationPtr& from) {
  if (from->kind == Kind::key && from->step != Step::backfilling) {
    WAYBILL_TRY(take_down(*from));
    return finish_walk(from);
  }
  MigrationPtr last = from;
  int64_t kept_ms = options_.clock->steady_ms();
  for (;;) {
    const int64_t begun_ms = options_.clock->steady_ms();
    const Spared spared(contracts_.find_by_table(last->table).get());
    WAYBILL_TRY_ASSIGN(const Piece piece,
                       walk_piece(store_, *last, spared, piece_records(last->rate_per_second)));
    if (piece.is_last) {
      return finish_walk(last);
    }
    Migration next = *last;
    add(piece, next);
    const int64_t now_ms = options_.clock->steady_ms();
    const bool on_disk = now_ms - kept_ms >= keep_every_ms;
    WAYBILL_TRY(keep(last, next, on_disk));
    kept_ms = on_disk ? now_ms : kept_ms;
    const bool is_limited = next.rate_per_second > 0;
    pause(is_limited ? piece.changed * 1000 / next.rate_per_second - (now_ms - begun_ms) : 0);
    last = book_.find(from->table);
    if (is_stopping()) {
      return last ? keep(last, *last, true) : Status();
    }
    if (!last || last->step != from->step) {
      return {};
    }
  }
}

// One of the two tables of a change of the key goes.
Status Migrations::take_down(const Migration& migration) {
  return delete_table(migration.step == Step::dropping ? migration.table : migration.new_table);
}

Status Migrations::finish_walk(const MigrationPtr& from) {
  const std::lock_guard lock(steps_);
  if (book_.find(from->table) != from) {
    return {};
  }
  Migration migration = *from;
  migration.step = step_after_walk(from->step);
  migration.place.clear();
  WAYBILL_TRY(owes_contract(migration) ? bring_contract_back(migration) : Status());
  return enter(migration);
}

// Where another step has been taken meanwhile, nothing is kept.
Status Migrations::keep(const MigrationPtr& from, const Migration& next, bool on_disk) {
  const std::lock_guard lock(steps_);
  if (!from || book_.find(from->table) != from) {
    return {};
  }
  if (on_disk) {
    return book_.put(next);
  }
  book_.remember(next);
  return {};
}

void Migrations::halt(const MigrationPtr& from, const Error& error) {
  log_warning("migration of table " + from->table + " came to a halt: " + error.message);
  const std::lock_guard lock(steps_);
  const auto present = book_.find(from->table);
  if (!present || present->step != from->step) {
    return;
  }
  Migration migration = *present;
  migration.failure = error.message;
  if (auto kept = book_.put(migration); !kept) {
    book_.remember(migration);
  }
}

bool Migrations::is_stopping() {
  const std::lock_guard lock(walks_mutex_);
  return stopping_;
}

void Migrations::pause(int64_t wait_ms) {
  if (wait_ms > 0) {
    std::unique_lock lock(walks_mutex_);
    wake_.wait_for(lock, std::chrono::milliseconds(wait_ms), [this] { return stopping_; });
  }
}

}  // namespace waybill::migration
