#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/store.h"

// Copies of the whole store in a folder: many moments, what is the same in them only once, every file with
// its checksum.
namespace waybill::engine {

class Database;

// Adds the store as it is now to the backups in `folder`, while others read and write. Only what is new since
// the last one is copied; all of it is on disk and checked when this returns.
Result<store::StoreBackup> back_up(const Database& database, const std::string& folder,
                                   const store::Progress& progress);

// Oldest first. Errors: invalid where the folder holds no backups.
Result<std::vector<store::StoreBackup>> list_store_backups(const std::string& folder);

// Deletes all but the newest `keep`.
Status delete_old_store_backups(const std::string& folder, uint32_t keep);

// Makes a data directory of a backup, the newest where `number` is 0. Every file is checked first. The
// directory must be empty or not there; when this is cut off, it can be called again.
Result<store::StoreBackup> restore_store(const std::string& folder, uint32_t number,
                                         const std::string& data_dir, const store::Progress& progress);

}  // namespace waybill::engine
