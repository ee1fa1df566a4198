#include "asset/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

namespace waybill::asset {

namespace fs = std::filesystem;

namespace {

constexpr mode_t file_mode = S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH;

// Closes with its owner.
class File {
 public:
  explicit File(int number) : number_(number) {}
  ~File() {
    if (number_ >= 0) {
      ::close(number_);
    }
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  const int number_;
};

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

bool write_all(const File& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(file.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

Status sync_folder(const std::string& folder) {
  const std::string& named = folder.empty() ? "." : folder;
  const File file(::open(named.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return file.is_open() && ::fsync(file.number()) == 0 ? Status() : Status(refused("sync", named, errno));
}

Status write_new(const std::string& path, std::string_view bytes) {
  const File file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file_mode));
  if (!file.is_open() || !write_all(file, bytes) || ::fsync(file.number()) != 0) {
    return refused("write", path, errno);
  }
  return {};
}

Result<std::string> read_all(const File& file, const std::string& path, std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t filled = 0;
  while (filled < size) {
    const auto got = ::read(file.number(), bytes.data() + filled, size - filled);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return refused("read", path, errno);
    }
    if (got == 0) {
      break;
    }
    filled += static_cast<std::size_t>(got);
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace

Status make_folder(const std::string& path) {
  std::error_code failure;
  std::vector<fs::path> changed;  // folders that get a new one
  for (fs::path at = path; !at.empty() && !fs::exists(at, failure) && at != at.parent_path();
       at = at.parent_path()) {
    changed.push_back(at.parent_path());
  }
  fs::create_directories(path, failure);
  if (failure) {
    return refused("make the folder", path, failure.value());
  }
  for (const auto& folder : changed) {
    WAYBILL_TRY(sync_folder(folder.string()));
  }
  return {};
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
  return sync_folder(fs::path(path).parent_path().string());
}

Result<std::string> read_file(const std::string& path, uint64_t bytes_max) {
  // Without O_NONBLOCK a pipe in the file's place would be waited for.
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
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
  return read_all(file, path, static_cast<std::size_t>(about.st_size));
}

}  // namespace waybill::asset
