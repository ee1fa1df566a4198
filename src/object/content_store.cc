#include "object/content_store.h"

#include "base/check.h"
#include "object/folder_place.h"

namespace waybill::object {

Result<ContentStore> ContentStore::open(const Options& options) {
  WAYBILL_CHECK(options.clock != nullptr && options.entropy != nullptr);
  Disk& disk = options.disk != nullptr ? *options.disk : system_disk();
  WAYBILL_TRY_ASSIGN(auto folders, Folders::open(options.path, *options.clock, *options.entropy, disk));
  return ContentStore(std::make_shared<FolderPlace>(std::move(folders)));
}

}  // namespace waybill::object
