#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace waybill::object {

// What the room asks of the system where it matters that it can fail: the seam at which tests let writes,
// reads and syncs fail. Each function is the system call of the same meaning: it may do less than was asked,
// and tells an error by -1 and errno.
//
// Thread safety: every method may be called from any thread.
class Disk {
 public:
  virtual ~Disk() = default;

  virtual ssize_t write_at(int file, const char* bytes, std::size_t count, uint64_t offset) = 0;
  virtual ssize_t read_at(int file, char* bytes, std::size_t count, uint64_t offset) = 0;

  // Inside the kernel, and without copying where the file system can share blocks.
  virtual ssize_t copy_range(int from, uint64_t from_offset, int to, uint64_t to_offset,
                             std::size_t count) = 0;

  // Asks for bytes to be brought to disk soon, without waiting for it. A hint: what becomes of it, sync()
  // tells.
  virtual void start_writing_out(int file, uint64_t offset, uint64_t count) = 0;

  // Of a file or a folder.
  virtual int sync(int file) = 0;

  virtual int rename(int from_folder, const char* from, int to_folder, const char* to) = 0;
};

// The disk as it is.
Disk& system_disk();

}  // namespace waybill::object
