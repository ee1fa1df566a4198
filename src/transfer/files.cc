#include "transfer/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/descriptor.h"

namespace waybill::transfer {

namespace fs = std::filesystem;

namespace {

constexpr mode_t file_mode = S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH;

}  // namespace

Error file_error(std::string_view what, const std::string& path) {
  return invalid("cannot " + std::string(what) + " " + path + ": " + std::strerror(errno));
}

Status make_folder(const std::string& path) {
  if (const auto failure = make_folders(path)) {
    return invalid("cannot make the folder " + path + ": " + failure.message());
  }
  return {};
}

Status write_file(const std::string& path, std::string_view bytes) {
  const std::string temporary = path + ".tmp";
  {
    const Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, file_mode));
    if (!file.is_open() || !write_all(file, bytes) || ::fsync(file.number()) != 0) {
      return file_error("write", temporary);
    }
  }
  return rename_file(temporary, path);
}

Status write_at(const std::string& path, uint64_t offset, std::string_view bytes) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, file_mode));
  const auto place = static_cast<off_t>(offset);
  struct stat about{};
  if (file.is_open() && ::fstat(file.number(), &about) == 0 && about.st_size < place) {
    return invalid(path + " is shorter than it was left");
  }
  const bool written = file.is_open() && ::ftruncate(file.number(), place) == 0 &&
                       ::lseek(file.number(), place, SEEK_SET) == place && write_all(file, bytes) &&
                       ::fsync(file.number()) == 0;
  return written ? Status() : Status(file_error("write", path));
}

Status rename_file(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) {
    return file_error("rename to", to);
  }
  const std::string folder = fs::path(to).parent_path().string();
  return sync_folder(folder) ? Status() : Status(file_error("sync", folder));
}

Result<std::string> read_file(const std::string& path, uint64_t bytes_max) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat about{};
  if (!file.is_open() || ::fstat(file.number(), &about) != 0) {
    return file_error("read", path);
  }
  if (static_cast<uint64_t>(about.st_size) > bytes_max) {
    return invalid(path + " is too large");
  }
  std::string bytes(static_cast<std::size_t>(about.st_size), '\0');
  if (!read_all(file, bytes)) {
    return file_error("read", path);
  }
  return bytes;
}

}  // namespace waybill::transfer
