#pragma once

#include <cstdint>
#include <future>
#include <mutex>

#include "base/clock.h"
#include "engine/catalog.h"
#include "engine/database.h"
#include "engine/writer.h"
#include "store/store.h"
#include "usage/meter.h"

namespace waybill::engine {

// Brings what the meter counts to disk minute by minute, reads it back, and drops what is too old.
//
// A process that is killed loses what was counted since the end of the last full minute, no more; one that
// stops loses nothing.
//
// Thread safety: every method may be called from any thread.
class UsageRecorder {
 public:
  // All that is referred to outlives the recorder.
  UsageRecorder(const Database& database, const Catalog& catalog, Writer& writer, usage::Meter& meter,
                const Clock& clock)
      : database_(database), catalog_(catalog), writer_(writer), meter_(meter), clock_(clock) {}
  // Writes down what is left.
  ~UsageRecorder();
  UsageRecorder(const UsageRecorder&) = delete;
  UsageRecorder& operator=(const UsageRecorder&) = delete;

  // Writes down the minutes that are over. Does nothing where none has ended since the last call.
  void record_finished();

  // See store::Store.
  Status read(table::SpaceId space, store::MinuteRange range, store::UsageVisitor& visitor);

  // Drops what is older than it is kept.
  void trim();

 private:
  void trim(rocksdb::Iterator& at, table::SpaceId space, int64_t before_minute);
  // The first minute that is kept of the table or index.
  int64_t first_minute(const table::Table& table) const;
  std::future<void> record_all();

  const Database& database_;
  const Catalog& catalog_;
  Writer& writer_;
  usage::Meter& meter_;
  const Clock& clock_;

  // Held from the meter to the writer's queue: jobs of later takes come later. Guards finished_minute_.
  std::mutex mutex_;
  int64_t finished_minute_ = 0;
};

}  // namespace waybill::engine
