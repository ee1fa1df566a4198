#include "engine/encryption/survey.h"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "engine/encryption/file_descriptor.h"
#include "engine/encryption/file_header.h"

namespace waybill::engine::encryption {
namespace {

void add(FileCount& count, uint64_t bytes) {
  count.files += 1;
  count.bytes += bytes;
}

Status look_at(const std::string& path, Survey& found) {
  const FileDescriptor file(path, O_RDONLY);
  if (!file.is_open()) {
    return errno == ENOENT ? Status() : io_error("open", path);
  }
  struct stat status{};
  if (::fstat(file.number(), &status) != 0) {
    return io_error("look at", path);
  }
  WAYBILL_TRY_ASSIGN(const std::string start, read_up_to(file.number(), header_bytes, 0, path));
  const auto bytes = static_cast<uint64_t>(status.st_size);
  switch (content_of(start)) {
    case Content::plain:
      add(found.plain, bytes);
      break;
    case Content::sealed:
      add(found.sealed[key_ids_of(start)], bytes);
      break;
    case Content::empty:
      break;
  }
  return {};
}

}  // namespace

std::string files_dir(const std::string& data_dir) {
  return data_dir + "/engine";
}

Result<std::vector<std::string>> file_names(const std::string& data_dir) {
  std::vector<std::string> names;
  std::error_code failure;
  std::filesystem::directory_iterator entry(files_dir(data_dir), failure);
  for (; !failure && entry != std::filesystem::directory_iterator(); entry.increment(failure)) {
    std::error_code gone;
    if (entry->is_regular_file(gone)) {
      names.push_back(entry->path().filename());
    }
  }
  if (failure && failure != std::errc::no_such_file_or_directory) {
    return Error{ErrorKind::unavailable,
                 "cannot list the files in " + files_dir(data_dir) + ": " + failure.message(),
                 {}};
  }
  return names;
}

Result<Survey> survey(const std::string& data_dir) {
  WAYBILL_TRY_ASSIGN(const auto names, file_names(data_dir));
  Survey found;
  for (const auto& name : names) {
    WAYBILL_TRY(look_at(files_dir(data_dir) + "/" + name, found));
  }
  return found;
}

}  // namespace waybill::engine::encryption
