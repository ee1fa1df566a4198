#include "engine/encryption/file_descriptor.h"

#include <cerrno>

namespace waybill::engine::encryption {

Error io_error(const std::string& what, const std::string& path) {
  return Error{ErrorKind::unavailable, "cannot " + what + " " + path + ": " + std::strerror(errno), {}};
}

Status write_all(int descriptor, std::string_view bytes, uint64_t offset, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return io_error("write", path);
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
    offset += static_cast<uint64_t>(count);
  }
  return {};
}

Result<std::string> read_up_to(int descriptor, std::size_t count, uint64_t offset, const std::string& path) {
  std::string bytes(count, '\0');
  std::size_t have = 0;
  while (have < count) {
    const ssize_t got =
        ::pread(descriptor, bytes.data() + have, count - have, static_cast<off_t>(offset + have));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return io_error("read", path);
    }
    if (got == 0) {
      break;
    }
    have += static_cast<std::size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

Status sync_file(int descriptor, const std::string& path) {
  if (::fsync(descriptor) != 0) {
    return io_error("sync", path);
  }
  return {};
}

Status sync_directory(const std::string& path) {
  const FileDescriptor directory(path, O_RDONLY | O_DIRECTORY);
  if (!directory.is_open()) {
    return io_error("open", path);
  }
  return sync_file(directory.number(), path);
}

}  // namespace waybill::engine::encryption
