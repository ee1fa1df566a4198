#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "base/clock.h"
#include "base/result.h"
#include "engine/bulk/row_source.h"
#include "engine/catalog.h"
#include "engine/database.h"
#include "engine/writer.h"

namespace waybill::engine {

// The thread that moves whole tables: restores and backups, one after the other, while clients read and
// write. What there is to do stands in the catalog, so a restart goes on with it; a table or backup that was
// cut off is made from its beginning again.
//
// Thread safety: wake() and lend() from any thread.
class BulkWorker {
 public:
  struct Options {
    std::string scratch_prefix;  // of files that are being made; what is left of them at the start goes
    const Clock* clock;
  };

  // All that is referred to outlives the worker.
  BulkWorker(const Database& database, const Catalog& catalog, Writer& writer, Options options);
  ~BulkWorker();
  BulkWorker(const BulkWorker&) = delete;
  BulkWorker& operator=(const BulkWorker&) = delete;

  // There may be something to do.
  void wake();

  // The moment that this backup is to be made of. Without one it is made of the moment when its turn comes.
  void lend(const std::string& backup_id, MomentPtr moment);

 private:
  void run();
  void remove_leftovers() const;
  bool do_all();
  Status make_table(table::TablePtr table);
  Status make_backup(table::BackupPtr backup);
  Result<std::unique_ptr<RowSource>> rows_for(const table::Table& table) const;
  bool holds_nothing(rocksdb::ColumnFamilyHandle* family, table::SpaceId space) const;
  bool is_untouched(const table::Table& table) const;
  template <typename Builder>
  Status copy(RowSource& rows, Builder& builder) const;
  template <typename TheJob, typename... Arguments>
  void commit(Arguments... arguments);
  MomentPtr take_moment(const std::string& backup_id);
  bool stopping() const { return stopping_.load(std::memory_order_relaxed); }

  const Database& database_;
  const Catalog& catalog_;
  Writer& writer_;
  const Options options_;
  std::atomic<bool> stopping_{false};

  std::mutex mutex_;  // guards what follows
  std::condition_variable woken_condition_;
  bool woken_ = false;
  std::map<std::string, MomentPtr> moments_;

  std::thread thread_;
};

}  // namespace waybill::engine
