#pragma once

#include <memory>
#include <string>

#include "object/content_place.h"
#include "object/folders.h"

namespace waybill::object {

// Contents as files of a folder (folders.h).
//
// Thread safety: every method may be called from any thread.
class FolderPlace final : public ContentPlace {
 public:
  explicit FolderPlace(std::shared_ptr<Folders> folders) : folders_(std::move(folders)) {}

  Result<std::unique_ptr<IncomingContent>> create() override;
  Result<std::unique_ptr<PlacedContent>> open(const ContentId& id) const override;
  // Not synced: what comes back after a power cut is swept.
  Result<bool> remove(const ContentId& id) override { return folders_->remove_content(id); }
  Status visit(const Visit& visit) override;
  // Nothing to do: the folder is one process's at a time, which clears it when it opens it.
  Status clear_incoming(int64_t /*older_than_ms*/) override { return {}; }

 private:
  Status visit_folder(const std::string& name, const Visit& visit) const;

  std::shared_ptr<Folders> folders_;
};

}  // namespace waybill::object
