#include "engine/watermark.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace waybill::engine {

namespace {

constexpr uint64_t magic = 0x31'4b'52'41'4d'42'59'57;  // "WYBMARK1"
constexpr std::size_t slot_bytes = 512;

struct Slot {
  uint64_t magic_word;
  uint64_t commit;
  uint64_t check;
};

uint64_t check_of(uint64_t commit) {
  return magic ^ (commit * 0x9e37'79b9'7f4a'7c15ULL);
}

Error file_error(const std::string& what) {
  return Error{ErrorKind::unavailable, what + ": " + std::strerror(errno), {}};
}

uint64_t read_slot(int file, int slot) {
  Slot read{};
  const auto offset = static_cast<off_t>(slot) * static_cast<off_t>(slot_bytes);
  if (::pread(file, &read, sizeof(read), offset) != static_cast<ssize_t>(sizeof(read))) {
    return 0;
  }
  return read.magic_word == magic && read.check == check_of(read.commit) ? read.commit : 0;
}

}  // namespace

Result<Watermark> Watermark::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) {
    return file_error("cannot open " + path);
  }
  return Watermark(file, std::max(read_slot(file, 0), read_slot(file, 1)));
}

Watermark::Watermark(Watermark&& other) noexcept
    : file_(std::exchange(other.file_, -1)), commit_(other.commit_) {}

Watermark::~Watermark() {
  if (file_ >= 0) {
    ::close(file_);
  }
}

Status Watermark::note(uint64_t commit) {
  const Slot slot{magic, commit, check_of(commit)};
  const auto offset = static_cast<off_t>(commit % 2) * static_cast<off_t>(slot_bytes);
  if (::pwrite(file_, &slot, sizeof(slot), offset) != static_cast<ssize_t>(sizeof(slot))) {
    return file_error("cannot note the last commit");
  }
  commit_ = commit;
  return {};
}

Status Watermark::sync() const {
  if (::fdatasync(file_) != 0) {
    return file_error("cannot sync the note of the last commit");
  }
  return {};
}

}  // namespace waybill::engine
