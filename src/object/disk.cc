#include "object/disk.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

namespace waybill::object {
namespace {

class SystemDisk final : public Disk {
 public:
  ssize_t write_at(int file, const char* bytes, std::size_t count, uint64_t offset) override {
    return ::pwrite(file, bytes, count, static_cast<off_t>(offset));
  }

  ssize_t read_at(int file, char* bytes, std::size_t count, uint64_t offset) override {
    return ::pread(file, bytes, count, static_cast<off_t>(offset));
  }

  ssize_t copy_range(int from, uint64_t from_offset, int to, uint64_t to_offset, std::size_t count) override {
    auto read_place = static_cast<off_t>(from_offset);
    auto write_place = static_cast<off_t>(to_offset);
    return ::copy_file_range(from, &read_place, to, &write_place, count, 0);
  }

  void start_writing_out(int file, uint64_t offset, uint64_t count) override {
    static_cast<void>(::sync_file_range(file, static_cast<off_t>(offset), static_cast<off_t>(count),
                                        SYNC_FILE_RANGE_WRITE));
  }

  int sync(int file) override { return ::fsync(file); }

  int rename(int from_folder, const char* from, int to_folder, const char* to) override {
    return ::renameat(from_folder, from, to_folder, to);
  }
};

}  // namespace

Disk& system_disk() {
  static SystemDisk disk;
  return disk;
}

}  // namespace waybill::object
