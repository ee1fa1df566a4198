#include "engine/encryption/file_rewriter.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "engine/encryption/cipher.h"
#include "engine/encryption/file_descriptor.h"
#include "engine/encryption/file_header.h"

namespace waybill::engine::encryption {
namespace {

constexpr std::size_t step_bytes = 1U << 20;

enum class Copied : bool { given_up, whole };

// Writes the encrypted form of `from` into a new file and forces it to the disk.
Result<Copied> copy_sealed(const FileDescriptor& from, const std::string& path, const NewHeader& header,
                           const std::function<bool()>& pause) {
  const std::string copy = path + std::string(copy_suffix);
  const FileDescriptor to(copy, O_WRONLY | O_CREAT | O_TRUNC);
  if (!to.is_open()) {
    return io_error("make", copy);
  }
  WAYBILL_TRY(write_all(to.number(), header.bytes, 0, copy));
  Cipher cipher(header.file_key);
  for (uint64_t offset = 0;;) {
    WAYBILL_TRY_ASSIGN(std::string part, read_up_to(from.number(), step_bytes, offset, path));
    cipher.apply(offset, part.data(), part.data(), part.size());
    WAYBILL_TRY(write_all(to.number(), part, header_bytes + offset, copy));
    offset += part.size();
    if (part.size() < step_bytes) {
      break;
    }
    if (!pause()) {
      return Copied::given_up;
    }
  }
  WAYBILL_TRY(sync_file(to.number(), copy));
  return Copied::whole;
}

// Whether `path` still leads to the file that is open.
bool is_still(const std::string& path, const FileDescriptor& file) {
  struct stat named{};
  struct stat open{};
  return ::stat(path.c_str(), &named) == 0 && ::fstat(file.number(), &open) == 0 &&
         named.st_ino == open.st_ino && named.st_dev == open.st_dev;
}

}  // namespace

Status rewrap_file(const std::string& path, const KeyRing& keys, Entropy& entropy) {
  const FileDescriptor file(path, O_RDWR);
  if (!file.is_open()) {
    return errno == ENOENT ? Status() : io_error("open", path);
  }
  WAYBILL_TRY_ASSIGN(const std::string header, read_up_to(file.number(), header_bytes, 0, path));
  if (content_of(header) != Content::sealed) {
    return {};
  }
  auto writes = rewrap(header, keys, entropy);
  if (!writes) {
    return Error{writes.error().kind, path + ": " + writes.error().message, {}};
  }
  for (const auto& write : *writes) {
    WAYBILL_TRY(write_all(file.number(), write.bytes, write.offset, path));
    WAYBILL_TRY(sync_file(file.number(), path));
  }
  return {};
}

Status seal_file(const std::string& path, const KeyRing& keys, Entropy& entropy, std::mutex& names,
                 const std::function<bool()>& pause) {
  const FileDescriptor file(path, O_RDONLY);
  if (!file.is_open()) {
    return errno == ENOENT ? Status() : io_error("open", path);
  }
  WAYBILL_TRY_ASSIGN(const std::string start, read_up_to(file.number(), header_bytes, 0, path));
  if (content_of(start) != Content::plain) {
    return {};
  }
  const std::string copy = path + std::string(copy_suffix);
  auto copied = copy_sealed(file, path, make_header(keys, entropy), pause);
  {
    const std::lock_guard lock(names);
    if (copied && *copied == Copied::whole && is_still(path, file)) {
      if (std::rename(copy.c_str(), path.c_str()) != 0) {
        return io_error("replace", path);
      }
      return sync_directory(std::filesystem::path(path).parent_path());
    }
  }
  std::remove(copy.c_str());
  return copied ? Status() : Status(std::move(copied).error());
}

}  // namespace waybill::engine::encryption
