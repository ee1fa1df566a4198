#include "object/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

namespace waybill::object {
namespace {

constexpr mode_t folder_mode = S_IRWXU;
constexpr mode_t file_mode = S_IRUSR | S_IWUSR;
constexpr std::size_t copy_bytes_max = 1024 * 1024;               // in memory, at a time
constexpr std::size_t kernel_copy_bytes_max = 256 * 1024 * 1024;  // in the kernel, at a time

Error ends_early() {
  return {ErrorKind::corruption, "A stored content is shorter than it was. Restore it from a backup.",
          "a file ends before its bytes do"};
}

Error absent(const std::string& name) {
  return {ErrorKind::not_found, "There is no content of that id.", name + " is not there"};
}

bool is_interrupted(ssize_t done) {
  return done < 0 && errno == EINTR;
}

// Whether the kernel or the file system cannot copy, as opposed to having tried and failed.
bool cannot_copy_in_kernel() {
  return errno == EXDEV || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP || errno == EPERM;
}

Status copy_through_memory(Disk& disk, const Descriptor& from, const Descriptor& to, CopyRange range) {
  std::string buffer(std::min<uint64_t>(range.bytes, copy_bytes_max), '\0');
  while (range.bytes > 0) {
    const auto piece = std::span(buffer).first(std::min<uint64_t>(range.bytes, buffer.size()));
    WAYBILL_TRY(read_all(disk, from, range.from_offset, piece));
    WAYBILL_TRY(write_all(disk, to, {piece.data(), piece.size()}, range.to_offset));
    range = {range.from_offset + piece.size(), range.to_offset + piece.size(), range.bytes - piece.size()};
  }
  return {};
}

}  // namespace

Error disk_error(std::string_view what) {
  const int code = errno;
  const std::string detail = "cannot " + std::string(what) + ": " + std::strerror(code);
  switch (code) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return {ErrorKind::unavailable, "The disk of the objects is full. Free some space, and try again.",
              detail};
    case EMFILE:
    case ENFILE:
    case ENOMEM:
      return {ErrorKind::unavailable, "The server has too many files open. Try again later.", detail};
    default:
      return {ErrorKind::internal, "The disk of the objects failed. The server's log says more.", detail};
  }
}

Result<Descriptor> make_folder(const Descriptor& parent, const std::string& name) {
  if (::mkdirat(parent.number(), name.c_str(), folder_mode) != 0 && errno != EEXIST) {
    return disk_error("make the folder " + name);
  }
  return open_folder(parent, name);
}

Result<Descriptor> open_folder(const Descriptor& parent, const std::string& name) {
  Descriptor folder(::openat(parent.number(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (folder.is_open()) {
    return folder;
  }
  return errno == ENOENT ? absent(name) : disk_error("open the folder " + name);
}

Result<Descriptor> create_file(const Descriptor& folder, const std::string& name) {
  Descriptor file(
      ::openat(folder.number(), name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, file_mode));
  if (!file.is_open()) {
    return disk_error("create " + name);
  }
  return file;
}

Result<Descriptor> open_file(const Descriptor& folder, const std::string& name) {
  // Without O_NONBLOCK somebody's pipe of that name would hold up its reader.
  Descriptor file(::openat(folder.number(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open()) {
    return errno == ENOENT ? absent(name) : disk_error("open " + name);
  }
  struct stat about{};
  if (::fstat(file.number(), &about) != 0) {
    return disk_error("look at " + name);
  }
  if (!S_ISREG(about.st_mode)) {
    return Error{ErrorKind::corruption, "A stored content is not a file. Restore it from a backup.", name};
  }
  return file;
}

Result<uint64_t> file_bytes(const Descriptor& file) {
  struct stat about{};
  if (::fstat(file.number(), &about) != 0) {
    return disk_error("look at a file");
  }
  return static_cast<uint64_t>(about.st_size);
}

Result<bool> remove_file(const Descriptor& folder, const std::string& name) {
  if (::unlinkat(folder.number(), name.c_str(), 0) == 0) {
    return true;
  }
  return errno == ENOENT ? Result<bool>(false) : Result<bool>(disk_error("remove " + name));
}

Status visit_names(const Descriptor& folder, const std::function<Status(const std::string&)>& visit) {
  const int copy = ::openat(folder.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const opened = copy < 0 ? nullptr : ::fdopendir(copy);
  if (opened == nullptr) {
    const Error error = disk_error("list a folder");
    if (copy >= 0) {
      ::close(copy);
    }
    return error;
  }
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(opened, ::closedir);
  // Both the end and an error are a null pointer; errno tells them apart.
  for (errno = 0; const dirent* entry = ::readdir(stream.get()); errno = 0) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") {
      WAYBILL_TRY(visit(name));
    }
  }
  return errno == 0 ? Status() : Status(disk_error("list a folder"));
}

Status write_all(Disk& disk, const Descriptor& file, std::string_view bytes, uint64_t offset) {
  while (!bytes.empty()) {
    const auto written = disk.write_at(file.number(), bytes.data(), bytes.size(), offset);
    if (is_interrupted(written)) {
      continue;
    }
    if (written <= 0) {
      errno = written == 0 ? ENOSPC : errno;
      return disk_error("write a content");
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<uint64_t>(written);
  }
  return {};
}

Status read_all(Disk& disk, const Descriptor& file, uint64_t offset, std::span<char> out) {
  while (!out.empty()) {
    const auto got = disk.read_at(file.number(), out.data(), out.size(), offset);
    if (is_interrupted(got)) {
      continue;
    }
    if (got < 0) {
      return disk_error("read a content");
    }
    if (got == 0) {
      return ends_early();
    }
    out = out.subspan(static_cast<std::size_t>(got));
    offset += static_cast<uint64_t>(got);
  }
  return {};
}

Status copy_all(Disk& disk, const Descriptor& from, const Descriptor& to, CopyRange range) {
  while (range.bytes > 0) {
    const auto asked = std::min<uint64_t>(range.bytes, kernel_copy_bytes_max);
    const auto copied =
        disk.copy_range(from.number(), range.from_offset, to.number(), range.to_offset, asked);
    if (is_interrupted(copied)) {
      continue;
    }
    if (copied < 0) {
      return cannot_copy_in_kernel() ? copy_through_memory(disk, from, to, range)
                                     : Status(disk_error("copy a content"));
    }
    if (copied == 0) {
      return ends_early();
    }
    const auto done = static_cast<uint64_t>(copied);
    range = {range.from_offset + done, range.to_offset + done, range.bytes - done};
  }
  return {};
}

}  // namespace waybill::object
