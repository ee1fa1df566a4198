#include "engine/usage_recorder.h"

#include <memory>
#include <utility>

#include "engine/layout.h"
#include "engine/upkeep_jobs.h"

namespace waybill::engine {

UsageRecorder::~UsageRecorder() {
  record_all().wait();
}

void UsageRecorder::record_finished() {
  const std::lock_guard lock(mutex_);
  const int64_t minute = clock_.wall_ms() / usage::minute_ms;
  if (minute == finished_minute_) {
    return;
  }
  finished_minute_ = minute;
  if (auto minutes = meter_.take_finished(); !minutes.empty()) {
    writer_.submit(std::make_unique<RecordUsageJob>(std::move(minutes), std::promise<void>()));
  }
}

// Also where there is nothing new: what was taken before may still be on its way.
std::future<void> UsageRecorder::record_all() {
  std::promise<void> done;
  auto recorded = done.get_future();
  const std::lock_guard lock(mutex_);
  writer_.submit(std::make_unique<RecordUsageJob>(meter_.take_all(), std::move(done)));
  return recorded;
}

int64_t UsageRecorder::first_minute(const table::Table& table) const {
  return clock_.wall_ms() / usage::minute_ms - usage::days_kept(table.recovery) * usage::minutes_a_day;
}

Status UsageRecorder::read(table::SpaceId space, store::MinuteRange range, store::UsageVisitor& visitor) {
  record_all().wait();
  const std::string begin = layout::usage_key(space, range.begin);
  const std::string end = layout::usage_key(space, range.end);
  const rocksdb::Slice upper = slice(end);
  rocksdb::ReadOptions options;
  options.iterate_upper_bound = &upper;
  const std::unique_ptr<rocksdb::Iterator> at(database_.db().NewIterator(options, database_.usage()));
  for (at->Seek(slice(begin)); at->Valid(); at->Next()) {
    const auto used = usage::decode(view(at->value()));
    if (!used) {
      return Error{ErrorKind::corruption, "A stored minute of usage can't be read", at->key().ToString(true)};
    }
    if (!visitor.visit(load_u32_be(at->key().data() + sizeof(space)), *used)) {
      return {};
    }
  }
  return at->status().ok() ? Status() : to_error(at->status());
}

void UsageRecorder::trim() {
  const auto tables = catalog_.tables();
  const std::unique_ptr<rocksdb::Iterator> at(
      database_.db().NewIterator(rocksdb::ReadOptions(), database_.usage()));
  for (const auto& [name, table] : *tables) {
    const int64_t before_minute = first_minute(*table);
    trim(*at, table->space, before_minute);
    for (const auto& index : table->indexes) {
      trim(*at, index.space, before_minute);
    }
  }
}

void UsageRecorder::trim(rocksdb::Iterator& at, table::SpaceId space, int64_t before_minute) {
  at.Seek(slice(layout::usage_key(space, 0)));
  if (at.Valid() && view(at.key()) < layout::usage_key(space, before_minute)) {
    writer_.submit(std::make_unique<TrimUsageJob>(space, before_minute));
  }
}

}  // namespace waybill::engine
