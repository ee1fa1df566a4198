#include "text/run.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/bytes.h"

namespace waybill::text {

namespace {

constexpr std::size_t buffer_bytes = 1 << 18;
constexpr mode_t owner_only = S_IRUSR | S_IWUSR;
constexpr std::size_t varint_bytes_max = 5;
constexpr int names_max = 1000;

// For file systems that know no files without names. The name is gone before anything is written.
int open_and_unlink(const std::string& folder) {
  for (int i = 0; i < names_max; ++i) {
    const std::string path =
        folder + "/waybill-words-" + std::to_string(::getpid()) + "-" + std::to_string(i) + ".tmp";
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, owner_only);
    if (file >= 0) {
      ::unlink(path.c_str());
      return file;
    }
    if (errno != EEXIST) {
      break;
    }
  }
  return -1;
}

Error cannot_write(const std::string& folder) {
  return Error{ErrorKind::unavailable,
               "cannot write words to a temporary file in " + folder + ": " + std::strerror(errno) +
                   "; make room there, or give another folder",
               {}};
}

Error cannot_read_back(const char* why) {
  return Error{
      ErrorKind::unavailable,
      std::string("cannot read back words from a temporary file: ") + why + "; analyse the text again",
      {}};
}

}  // namespace

Result<RunWriter> RunWriter::open(const std::string& folder) {
  int file = ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, owner_only);
  if (file < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
    file = open_and_unlink(folder);
  }
  if (file < 0) {
    return invalid("cannot make a temporary file in " + folder + ": " + std::strerror(errno) +
                   "; give a folder that can be written to");
  }
  return RunWriter(Descriptor(file), folder);
}

Status RunWriter::add(std::string_view word, uint64_t count) {
  append_varint(buffer_, static_cast<uint32_t>(word.size()));
  append_varint(buffer_, static_cast<uint32_t>(count >> 32));
  append_varint(buffer_, static_cast<uint32_t>(count));
  buffer_.append(word);
  return buffer_.size() >= buffer_bytes ? flush() : Status();
}

Status RunWriter::flush() {
  for (std::size_t at = 0; at < buffer_.size();) {
    const auto written = ::write(file_.number(), buffer_.data() + at, buffer_.size() - at);
    if (written < 0 && errno != EINTR) {
      return cannot_write(folder_);
    }
    at += static_cast<std::size_t>(std::max<ssize_t>(written, 0));
  }
  bytes_ += buffer_.size();
  buffer_.clear();
  return {};
}

Result<Run> RunWriter::finish() {
  WAYBILL_TRY(flush());
  return Run{std::move(file_), bytes_};
}

Result<bool> RunReader::next() {
  if (at_ == buffer_.size() && read_ == run_.bytes) {
    return false;
  }
  WAYBILL_TRY_ASSIGN(const uint32_t length, read_number());
  WAYBILL_TRY_ASSIGN(const uint64_t high, read_number());
  WAYBILL_TRY_ASSIGN(const uint64_t low, read_number());
  WAYBILL_TRY(fill(length));
  if (buffer_.size() - at_ < length) {
    return cannot_read_back("it ends within a word");
  }
  word_ = std::string_view(buffer_).substr(at_, length);
  count_ = high << 32 | low;
  at_ += length;
  return true;
}

Result<uint32_t> RunReader::read_number() {
  WAYBILL_TRY(fill(varint_bytes_max));
  const auto rest = std::string_view(buffer_).substr(at_, varint_bytes_max);
  const auto last = std::find_if(rest.begin(), rest.end(), [](char c) { return (c & 0x80) == 0; });
  if (last == rest.end()) {
    return cannot_read_back("it is damaged");
  }
  const char* at = rest.data();
  const uint32_t number = read_varint(at);
  at_ += static_cast<std::size_t>(at - rest.data());
  return number;
}

// Has so many bytes in the buffer from at_ on, or all that are left of the file.
Status RunReader::fill(std::size_t bytes) {
  if (buffer_.size() - at_ >= bytes || read_ == run_.bytes) {
    return {};
  }
  buffer_.erase(0, at_);
  at_ = 0;
  while (buffer_.size() < bytes && read_ < run_.bytes) {
    const std::size_t before = buffer_.size();
    const auto wanted = std::min<uint64_t>(std::max(bytes, buffer_bytes), run_.bytes - read_);
    buffer_.resize(before + wanted);
    const auto got = ::pread(run_.file.number(), buffer_.data() + before, wanted, static_cast<off_t>(read_));
    buffer_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0 || (got < 0 && errno != EINTR)) {
      return cannot_read_back(got == 0 ? "it was cut short" : std::strerror(errno));
    }
    read_ += static_cast<uint64_t>(std::max<ssize_t>(got, 0));
  }
  return {};
}

}  // namespace waybill::text
