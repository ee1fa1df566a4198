#include "transfer/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

namespace waybill::transfer {

namespace fs = std::filesystem;

namespace {

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
  const File file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return file.is_open() && ::fsync(file.number()) == 0 ? Status() : Status(file_error("sync", folder));
}

constexpr mode_t file_mode = S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH;

}  // namespace

Error file_error(std::string_view what, const std::string& path) {
  return invalid("cannot " + std::string(what) + " " + path + ": " + std::strerror(errno));
}

Status make_folder(const std::string& path) {
  std::error_code failure;
  std::vector<fs::path> changed;  // folders that get a new one
  for (fs::path at = path; !at.empty() && !fs::exists(at, failure) && at != at.parent_path();
       at = at.parent_path()) {
    changed.push_back(at.parent_path());
  }
  fs::create_directories(path, failure);
  if (failure) {
    return invalid("cannot make the folder " + path + ": " + failure.message());
  }
  for (const auto& folder : changed) {
    WAYBILL_TRY(sync_folder(folder.string()));
  }
  return {};
}

Status write_file(const std::string& path, std::string_view bytes) {
  const std::string temporary = path + ".tmp";
  {
    const File file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, file_mode));
    if (!file.is_open() || !write_all(file, bytes) || ::fsync(file.number()) != 0) {
      return file_error("write", temporary);
    }
  }
  return rename_file(temporary, path);
}

Status write_at(const std::string& path, uint64_t offset, std::string_view bytes) {
  const File file(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, file_mode));
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
  return sync_folder(fs::path(to).parent_path().string());
}

Result<std::string> read_file(const std::string& path, uint64_t bytes_max) {
  const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat about{};
  if (!file.is_open() || ::fstat(file.number(), &about) != 0) {
    return file_error("read", path);
  }
  if (static_cast<uint64_t>(about.st_size) > bytes_max) {
    return invalid(path + " is too large");
  }
  std::string bytes(static_cast<std::size_t>(about.st_size), '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const auto got = ::read(file.number(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return file_error("read", path);
    }
    if (got == 0) {
      break;
    }
    filled += static_cast<std::size_t>(got);
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace waybill::transfer
