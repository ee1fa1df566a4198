#include "base/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <vector>

namespace waybill {

namespace fs = std::filesystem;

void Descriptor::close() {
  if (is_open()) {
    ::close(std::exchange(number_, none));
  }
}

bool write_all(const Descriptor& file, std::string_view bytes) {
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

bool read_all(const Descriptor& file, std::string& bytes) {
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const auto got = ::read(file.number(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return false;
    }
    if (got == 0) {
      break;
    }
    filled += static_cast<std::size_t>(got);
  }
  bytes.resize(filled);
  return true;
}

bool sync_folder(const std::string& path) {
  const Descriptor folder(::open(path.empty() ? "." : path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return folder.is_open() && ::fsync(folder.number()) == 0;
}

std::error_code make_folders(const std::string& path) {
  std::error_code failure;
  std::vector<fs::path> changed;  // folders that get a new one
  for (fs::path at = path; !at.empty() && !fs::exists(at, failure) && at != at.parent_path();
       at = at.parent_path()) {
    changed.push_back(at.parent_path());
  }
  fs::create_directories(path, failure);
  for (const auto& folder : changed) {
    if (!failure && !sync_folder(folder.string())) {
      failure = {errno, std::generic_category()};
    }
  }
  return failure;
}

}  // namespace waybill
