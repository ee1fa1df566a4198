#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

// Files that are there whole or not at all. Errors are of kind invalid and name the file: whoever gave the
// folder can do something about it.
namespace waybill::transfer {

// The error for what the system has just refused.
Error file_error(std::string_view what, const std::string& path);

// With all above it; on disk when it returns.
Status make_folder(const std::string& path);

// Under a temporary name first, synced, then in its place.
Status write_file(const std::string& path, std::string_view bytes);

// Cuts the file off at `offset` and adds `bytes` there, synced. Refuses a file that is shorter.
Status write_at(const std::string& path, uint64_t offset, std::string_view bytes);

Status rename_file(const std::string& from, const std::string& to);

// Refuses files of more than `bytes_max`.
Result<std::string> read_file(const std::string& path, uint64_t bytes_max);

}  // namespace waybill::transfer
