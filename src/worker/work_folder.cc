#include "worker/work_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

namespace waybill::worker {
namespace {

constexpr std::string_view prefix = "waybill-work-";

// The folder, locked for this process; not open where another has it.
Descriptor lock_folder(const std::string& path) {
  Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (folder.is_open() && ::flock(folder.number(), LOCK_EX | LOCK_NB) != 0) {
    folder.close();
  }
  return folder;
}

// One that was made a moment ago may not be locked yet.
bool is_old(const std::string& path, const Clock& clock) {
  constexpr int64_t age_s_min = 60;
  struct stat about{};
  return ::lstat(path.c_str(), &about) == 0 && clock.wall_seconds() - about.st_mtime >= age_s_min;
}

// Those whose process is gone: nobody holds their lock.
void remove_leftovers(const std::string& parent, const Clock& clock) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(parent, ignored)) {
    if (!entry.path().filename().string().starts_with(prefix) || !is_old(entry.path().string(), clock)) {
      continue;
    }
    if (const auto lock = lock_folder(entry.path().string()); lock.is_open()) {
      std::filesystem::remove_all(entry.path(), ignored);
    }
  }
}

}  // namespace

Result<WorkFolder> WorkFolder::open(const std::string& parent, const Clock& clock) {
  if (const auto failure = make_folders(parent)) {
    return invalid("the folder " + parent + " for files of jobs cannot be made: " + failure.message());
  }
  remove_leftovers(parent, clock);
  std::string path = parent + "/" + std::string(prefix) + "XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) {
    return invalid("no folder for files of jobs can be made in " + parent + ": " + std::strerror(errno));
  }
  auto lock = lock_folder(path);
  if (!lock.is_open()) {
    return invalid("the folder " + path + " cannot be locked: " + std::strerror(errno));
  }
  return WorkFolder(std::move(path), std::move(lock));
}

WorkFolder::~WorkFolder() {
  if (lock_.is_open()) {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
}

}  // namespace waybill::worker
