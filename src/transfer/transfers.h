#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/entropy.h"
#include "base/result.h"
#include "base/unique_function.h"
#include "store/store.h"
#include "transfer/buckets.h"
#include "transfer/job.h"
#include "transfer/job_book.h"
#include "transfer/worker.h"

// Tables out of the store into files of DynamoDB's export format, and out of files into the store.
namespace waybill::transfer {

using ExportDone = UniqueFunction<void(Result<ExportPtr>)>;
using ImportDone = UniqueFunction<void(Result<ImportPtr>)>;

// All exports and imports: those under way, which go on after a restart, and those of the last 90 days that
// are over. Exports are done one after the other, and so are imports.
//
// Thread safety: every method may be called from any thread. `done` may come on a thread of the store's.
class Transfers {
 public:
  struct Options {
    const Clock* clock = nullptr;
    Entropy* entropy = nullptr;
    std::string buckets_dir;
  };

  // The store and all that the options refer to outlive it.
  static Result<std::unique_ptr<Transfers>> open(store::Store& store, const Options& options);
  // Ends what is under way as soon as that is possible.
  ~Transfers();
  Transfers(const Transfers&) = delete;
  Transfers& operator=(const Transfers&) = delete;

  const Buckets& buckets() const { return buckets_; }

  // Begins an export. `wanted` has what the client gave: names and ARN, bucket and folder, token. A token
  // that comes again within eight hours is answered with what it began. Errors: those of Store::hold_table,
  // export_conflict.
  void begin_export(store::WantedPast past, Export wanted, ExportDone done);
  ExportPtr find_export(std::string_view id) const { return exports_.find(id); }
  std::vector<ExportPtr> exports() const { return exports_.all(); }

  // Begins an import into a new table. Errors: those of Store::begin_import, import_conflict.
  void begin_import(table::Table table, Import wanted, ImportDone done);
  ImportPtr find_import(std::string_view id) const { return imports_.find(id); }
  std::vector<ImportPtr> imports() const { return imports_.all(); }

 private:
  Transfers(store::Store& store, const Options& options);

  Status load();
  std::string new_id() const;
  template <typename TheJob>
  std::optional<Result<std::shared_ptr<const TheJob>>> claim(const JobBook<TheJob>& book,
                                                             const TheJob& wanted, ErrorKind mismatch);
  void release(const std::string& token);
  void forget_old();
  bool do_exports();
  bool do_imports();
  Status do_export(const std::string& id);
  Status do_import(const std::string& id);
  Status fail_export(Export job, const Error& error);
  Status fail_import(Import job, const Error& error);
  bool stopping() const { return stopping_.load(std::memory_order_relaxed); }

  store::Store& store_;
  const Options options_;
  const Buckets buckets_;
  JobBook<Export> exports_;
  JobBook<Import> imports_;
  std::atomic<bool> stopping_{false};

  std::mutex mutex_;  // guards what follows
  std::set<std::string> starting_tokens_;

  std::unique_ptr<Worker> exporter_;
  std::unique_ptr<Worker> importer_;
};

}  // namespace waybill::transfer
