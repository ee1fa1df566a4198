#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/entropy.h"
#include "base/result.h"

// Files that are there whole or not at all. Where the world is to blame and may change (a full disk, too many
// open files), the Error is of kind unavailable; otherwise it is the path that is wrong.
namespace waybill::asset {

// With all above it; on disk when it returns.
Status make_folder(const std::string& path);

// Under a temporary name first, synced, then in its place. `entropy` makes the temporary name, so that two
// who write the same file do not meet.
Status write_file(const std::string& path, std::string_view bytes, Entropy& entropy);

// Refuses what is no regular file, and files of more than `bytes_max`.
Result<std::string> read_file(const std::string& path, uint64_t bytes_max);

}  // namespace waybill::asset
