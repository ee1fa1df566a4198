#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/encryption/key_ring.h"
#include "store/store.h"

// Copies of the whole store in a folder: many moments, what is the same in them only once, every file with
// its checksum.
namespace waybill::engine {

class Database;

// Adds the store as it is now to the backups in `folder`, while others read and write; then deletes all but
// the newest `keep`, none where that is 0. Only what is new since the last one is copied; all of it is on
// disk when this returns. The files of an encrypted store are encrypted there too, under the key that is
// current now.
Result<store::StoreBackup> back_up(const Database& database, const std::string& folder, uint32_t keep,
                                   const store::Progress& progress);

// `keys`: those the backups were made with, or null where they are not encrypted. The error says where they
// don't fit.

// Oldest first. Errors: invalid where the folder holds no backups.
Result<std::vector<store::StoreBackup>> list_store_backups(const std::string& folder,
                                                           const encryption::KeyRingPtr& keys);

struct RestoreTarget {
  uint32_t number = 0;  // of the backup; 0: the newest
  std::string data_dir;
};

// Makes a data directory of a backup. Every file is checked first. The directory must be empty or not there;
// when this is cut off, it can be called again. The store is encrypted where keys are given.
Result<store::StoreBackup> restore_store(const std::string& folder, const RestoreTarget& target,
                                         const encryption::KeyRingPtr& keys, const store::Progress& progress);

}  // namespace waybill::engine
