#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "base/entropy.h"
#include "base/result.h"
#include "engine/encryption/key_ring.h"

// Brings the files of an open store under another key, or under any key at all, behind RocksDB's back: the
// contents that RocksDB sees stay the same.
namespace waybill::engine::encryption {

// Ends the name of a copy that is being made. One that is found at a start is of no use.
inline constexpr std::string_view copy_suffix = ".sealing";

// Puts the file's key under the current key of `keys`. Does nothing where that is so already, and where the
// file is not sealed or gone. The file may be in use, but its header must be left alone meanwhile, and nobody
// may make another file of this name: the caller holds EncryptedFileSystem::names_mutex().
Status rewrap_file(const std::string& path, const KeyRing& keys, Entropy& entropy);

// Replaces a plain file that nobody writes to any more by an encrypted copy with the same contents. Readers
// that have it open go on reading the old one. `names` is held for the replacing alone. `pause` is called
// after every MiB; false from it gives up. Does nothing where the file is not plain or gone.
Status seal_file(const std::string& path, const KeyRing& keys, Entropy& entropy, std::mutex& names,
                 const std::function<bool()>& pause);

}  // namespace waybill::engine::encryption
