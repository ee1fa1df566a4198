#pragma once

#include <functional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "store/store.h"
#include "transfer/job.h"

namespace waybill::transfer {

// Hears how far a job is; false ends it early, to be gone on with later.
template <typename TheJob>
using Report = std::function<bool(const TheJob&)>;

// Writes an export, from where it was left. Its files stand in <folder>/AWSDynamoDB/<id>/; see manifest.h,
// and
//
//   _started                  empty
//   table.json                TableCreationParameters for an import
//   data/<number>-<…>.json.gz  items, a line each: {"Item":{…}}
//
// A data file and its line of the manifest are on disk before the store is told of them. What a crash leaves
// beyond that is written again, the same where the table is held at a moment. Else the export begins anew.
class ExportRun final : private store::Visitor {
 public:
  ExportRun(store::Store& store, const Clock& clock, Export job, Report<Export> report);

  // The export as it is when it is complete; or nullopt where it was ended early. Errors: unavailable where
  // it may succeed later.
  Result<std::optional<Export>> run();

 private:
  bool visit(std::string_view key, item::ItemView item, uint32_t size_bytes) override;
  Status begin();
  Status close_file();
  Status write_manifests();
  std::string path(std::string_view name) const { return folder_ + std::string(name); }

  store::Store& store_;
  const Clock& clock_;
  Export job_;
  const Report<Export> report_;
  const std::string folder_;  // with a slash behind it

  // The data file in the making.
  std::string lines_;
  int64_t items_ = 0;
  int64_t bytes_ = 0;
  std::string last_key_;

  int64_t unreported_bytes_ = 0;
  Status status_;  // of what was done while the table was read
  bool ended_early_ = false;
};

}  // namespace waybill::transfer
