#include "media/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace waybill::media {

namespace {

Error file_error(std::string_view what, const std::string& path) {
  const int code = errno;
  const bool may_pass = code == ENOSPC || code == EDQUOT || code == EIO || code == EMFILE || code == ENFILE;
  const ErrorKind kind = code == ENOENT ? ErrorKind::not_found
                         : may_pass     ? ErrorKind::unavailable
                                        : ErrorKind::invalid;
  return {kind, "cannot " + std::string(what) + " " + path + ": " + std::strerror(code), {}};
}

}  // namespace

Result<std::string> read_input(const std::string& path, int64_t bytes_max) {
  // A pipe or a device would keep its reader waiting.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat about{};
  if (!file.is_open() || ::fstat(file.number(), &about) != 0) {
    return file_error("read", path);
  }
  if (!S_ISREG(about.st_mode)) {
    return invalid(path + " is no regular file");
  }
  if (about.st_size > bytes_max) {
    return Error{ErrorKind::too_large,
                 "the file has " + std::to_string(about.st_size) + " bytes, more than the " +
                     std::to_string(bytes_max) + " that are taken",
                 {}};
  }
  std::string bytes(static_cast<std::size_t>(about.st_size), '\0');
  if (!read_all(file, bytes)) {
    return file_error("read", path);
  }
  return bytes;
}

OutputFile::OutputFile(std::string path, std::string_view part)
    : path_(std::move(path)), part_path_(path_ + std::string(part)) {}

OutputFile::~OutputFile() {
  if (is_written_) {
    ::unlink(part_path_.c_str());
  }
}

Status OutputFile::write(std::string_view bytes, int64_t bytes_max) {
  if (static_cast<int64_t>(bytes.size()) > bytes_max) {
    return Error{ErrorKind::too_large,
                 "the result has " + std::to_string(bytes.size()) + " bytes, more than the " +
                     std::to_string(bytes_max) + " that a file may have",
                 {}};
  }
  const Descriptor file(::open(part_path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  is_written_ = file.is_open();
  if (!file.is_open() || !write_all(file, bytes)) {
    return file_error("write", path_);
  }
  return {};
}

Status OutputFile::publish() {
  if (::rename(part_path_.c_str(), path_.c_str()) != 0) {
    return file_error("write", path_);
  }
  is_written_ = false;
  return {};
}

void OutputFile::withdraw() {
  ::unlink(path_.c_str());
}

}  // namespace waybill::media
