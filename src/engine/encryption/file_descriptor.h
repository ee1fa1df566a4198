#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "base/result.h"

namespace waybill::engine::encryption {

// An open file, closed where it ends.
class FileDescriptor {
 public:
  // Mind the result: it may not be open.
  FileDescriptor(const std::string& path, int flags)
      : number_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (number_ >= 0) {
      ::close(number_);
    }
  }

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }

 private:
  const int number_;
};

// All of `bytes` at `offset`.
Status write_all(int descriptor, std::string_view bytes, uint64_t offset, const std::string& path);

// Up to `count` bytes from `offset`; fewer only at the end of the file.
Result<std::string> read_up_to(int descriptor, std::size_t count, uint64_t offset, const std::string& path);

// Forces a file, or the names in a directory, to the disk.
Status sync_file(int descriptor, const std::string& path);
Status sync_directory(const std::string& path);

// "cannot read /data/x: Input/output error", from errno.
Error io_error(const std::string& what, const std::string& path);

}  // namespace waybill::engine::encryption
