#include "asset/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/descriptor.h"

namespace waybill::asset {

namespace fs = std::filesystem;

namespace {

constexpr mode_t file_mode = S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH;

ErrorKind kind_of(int code) {
  switch (code) {
    case ENOENT:
      return ErrorKind::not_found;
    case ENOSPC:
    case EDQUOT:
    case EIO:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EAGAIN:
    case ESTALE:
      return ErrorKind::unavailable;
    default:
      return ErrorKind::invalid;
  }
}

Error refused(std::string_view what, const std::string& path, int code) {
  return Error{kind_of(code), "cannot " + std::string(what) + " " + path + ": " + std::strerror(code), {}};
}

Status write_new(const std::string& path, std::string_view bytes) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file_mode));
  if (!file.is_open() || !write_all(file, bytes) || ::fsync(file.number()) != 0) {
    return refused("write", path, errno);
  }
  return {};
}

}  // namespace

Status make_folder(const std::string& path) {
  const auto failure = make_folders(path);
  return failure ? Status(refused("make the folder", path, failure.value())) : Status();
}

Status write_file(const std::string& path, std::string_view bytes, Entropy& entropy) {
  const std::string temporary = path + "." + make_uuid4(entropy) + ".tmp";
  Status written = write_new(temporary, bytes);
  if (written && ::rename(temporary.c_str(), path.c_str()) != 0) {
    written = refused("write", path, errno);
  }
  if (!written) {
    ::unlink(temporary.c_str());
    return written;
  }
  const std::string folder = fs::path(path).parent_path().string();
  return sync_folder(folder) ? Status() : Status(refused("sync", folder, errno));
}

Result<std::string> read_file(const std::string& path, uint64_t bytes_max) {
  // Without O_NONBLOCK a pipe in the file's place would be waited for.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat about{};
  if (!file.is_open() || ::fstat(file.number(), &about) != 0) {
    return refused("read", path, errno);
  }
  if (!S_ISREG(about.st_mode)) {
    return invalid("cannot read " + path + ": it is not a regular file");
  }
  if (static_cast<uint64_t>(about.st_size) > bytes_max) {
    return Error{ErrorKind::too_large,
                 path + " has " + std::to_string(about.st_size) + " bytes; at most " +
                     std::to_string(bytes_max) + " are read",
                 {}};
  }
  std::string bytes(static_cast<std::size_t>(about.st_size), '\0');
  if (!read_all(file, bytes)) {
    return refused("read", path, errno);
  }
  return bytes;
}

}  // namespace waybill::asset
