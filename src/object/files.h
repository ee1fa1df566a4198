#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"
#include "object/disk.h"

// Files by descriptors, never by paths of more than one name: no symbolic link is followed on any step,
// because each step is one name under a folder that is open already.
namespace waybill::object {

// The error for what the system has just refused, by errno: unavailable where there is no room or there are
// too many open files, internal otherwise. `what` completes "cannot ..." for the operator's log.
Error disk_error(std::string_view what);

// A folder under another one, made with mode 0700 where it is not there yet.
Result<Descriptor> make_folder(const Descriptor& parent, const std::string& name);

// Error not_found where there is none.
Result<Descriptor> open_folder(const Descriptor& parent, const std::string& name);

// A file that was not there before, for reading and writing, with mode 0600.
Result<Descriptor> create_file(const Descriptor& folder, const std::string& name);

// For reading. Error not_found where there is none, corruption where it is no regular file.
Result<Descriptor> open_file(const Descriptor& folder, const std::string& name);

Result<uint64_t> file_bytes(const Descriptor& file);

// Whether there was one.
Result<bool> remove_file(const Descriptor& folder, const std::string& name);

// Calls `visit` with the name of everything in the folder but "." and "..", in no order, until it gives an
// error. What it is called with may be removed meanwhile.
Status visit_names(const Descriptor& folder, const std::function<Status(const std::string&)>& visit);

// All of `bytes`.
Status write_all(Disk& disk, const Descriptor& file, std::string_view bytes, uint64_t offset);

// All of `out`. Error corruption where the file ends before.
Status read_all(Disk& disk, const Descriptor& file, uint64_t offset, std::span<char> out);

struct CopyRange {
  uint64_t from_offset = 0;
  uint64_t to_offset = 0;
  uint64_t bytes = 0;
};

// In the kernel where that goes, else through memory. Error corruption where the source ends before.
Status copy_all(Disk& disk, const Descriptor& from, const Descriptor& to, CopyRange range);

}  // namespace waybill::object
