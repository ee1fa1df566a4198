#include "asset/zip_writer.h"

#include <libdeflate.h>

#include <algorithm>
#include <array>

#include "base/bytes.h"
#include "base/check.h"
#include "base/utf8.h"

namespace waybill::asset {

namespace {

constexpr int compression_level = 6;
constexpr uint32_t local_magic = 0x04034b50;
constexpr uint32_t central_magic = 0x02014b50;
constexpr uint32_t end_magic = 0x06054b50;
constexpr uint16_t version_needed = 20;
constexpr uint16_t made_on_unix = 3 << 8 | version_needed;
constexpr uint16_t names_are_utf8 = 1 << 11;
constexpr uint16_t first_of_1980 = 1 << 5 | 1;  // as early as the format can tell
constexpr uint16_t stored = 0;
constexpr uint16_t deflated = 8;
constexpr uint32_t plain_file_mode = 0100644;
constexpr uint64_t archive_bytes_max = UINT32_MAX - 1;
constexpr std::size_t entries_max = UINT16_MAX - 1;
constexpr std::size_t name_bytes_max = 255;
constexpr std::size_t headers_bytes = 30 + 46;  // of an entry, without its name, which stands in both

void append_u16(std::string& out, uint16_t value) {
  out.push_back(static_cast<char>(value));
  out.push_back(static_cast<char>(value >> 8));
}

void append_u32(std::string& out, uint32_t value) {
  std::array<char, 4> bytes{};
  store_u32_le(bytes.data(), value);
  out.append(bytes.data(), bytes.size());
}

// Empty where it would not be smaller.
std::string deflate(std::string_view bytes) {
  auto* const compressor = libdeflate_alloc_compressor(compression_level);
  WAYBILL_CHECK(compressor != nullptr);
  std::string packed(bytes.size(), '\0');
  packed.resize(
      libdeflate_deflate_compress(compressor, bytes.data(), bytes.size(), packed.data(), packed.size()));
  libdeflate_free_compressor(compressor);
  return packed.size() < bytes.size() ? packed : std::string();
}

bool is_safe(std::string_view name) {
  if (name.empty() || name.size() > name_bytes_max || !is_utf8(name) || name.ends_with('/')) {
    return false;
  }
  const auto is_forbidden = [](char c) {
    return static_cast<unsigned char>(c) < 32 || c == '\\' || c == ':' || c == 127;
  };
  if (std::any_of(name.begin(), name.end(), is_forbidden)) {
    return false;
  }
  while (true) {
    const auto end = std::min(name.find('/'), name.size());
    const auto part = name.substr(0, end);
    if (part.empty() || part == "." || part == "..") {
      return false;
    }
    if (end == name.size()) {
      return true;
    }
    name.remove_prefix(end + 1);
  }
}

// What local and central headers have in common.
template <typename Entry>
void append_facts(std::string& out, const Entry& entry) {
  append_u16(out, version_needed);
  append_u16(out, names_are_utf8);
  append_u16(out, entry.method);
  append_u16(out, 0);  // midnight
  append_u16(out, first_of_1980);
  append_u32(out, entry.crc);
  append_u32(out, entry.packed_bytes);
  append_u32(out, entry.bytes);
  append_u16(out, static_cast<uint16_t>(entry.name.size()));
  append_u16(out, 0);  // no extra field
}

}  // namespace

Status ZipWriter::check(const std::string& name, std::size_t bytes) const {
  if (!is_safe(name)) {
    return invalid("a file cannot be called " + name + " in an archive");
  }
  const auto has_name = [&](const Entry& entry) { return entry.name == name; };
  if (std::any_of(entries_.begin(), entries_.end(), has_name)) {
    return invalid("two files are to be called " + name + " in the archive; rename one");
  }
  uint64_t sum = archive_.size() + bytes + (entries_.size() + 1) * (headers_bytes + name_bytes_max * 2);
  if (entries_.size() >= entries_max || sum > archive_bytes_max) {
    return Error{ErrorKind::too_large, "the archive would be too large; export fewer files", {}};
  }
  return {};
}

Status ZipWriter::add(const std::string& name, std::string_view bytes) {
  WAYBILL_TRY(check(name, bytes.size()));
  const std::string packed = deflate(bytes);
  const std::string_view data = packed.empty() ? bytes : std::string_view(packed);
  Entry entry;
  entry.name = name;
  entry.method = packed.empty() ? stored : deflated;
  entry.crc = libdeflate_crc32(0, bytes.data(), bytes.size());
  entry.packed_bytes = static_cast<uint32_t>(data.size());
  entry.bytes = static_cast<uint32_t>(bytes.size());
  entry.offset = static_cast<uint32_t>(archive_.size());
  append_u32(archive_, local_magic);
  append_facts(archive_, entry);
  archive_.append(name).append(data);
  bytes_before_ += bytes.size();
  entries_.push_back(std::move(entry));
  return {};
}

std::string ZipWriter::finish() && {
  const auto central_offset = static_cast<uint32_t>(archive_.size());
  for (const auto& entry : entries_) {
    append_u32(archive_, central_magic);
    append_u16(archive_, made_on_unix);
    append_facts(archive_, entry);
    append_u16(archive_, 0);  // no comment
    append_u16(archive_, 0);  // the first disk
    append_u16(archive_, 0);  // whether text or not is not told
    append_u32(archive_, plain_file_mode << 16);
    append_u32(archive_, entry.offset);
    archive_.append(entry.name);
  }
  const auto central_bytes = static_cast<uint32_t>(archive_.size() - central_offset);
  append_u32(archive_, end_magic);
  append_u16(archive_, 0);
  append_u16(archive_, 0);
  append_u16(archive_, static_cast<uint16_t>(entries_.size()));
  append_u16(archive_, static_cast<uint16_t>(entries_.size()));
  append_u32(archive_, central_bytes);
  append_u32(archive_, central_offset);
  append_u16(archive_, 0);
  return std::move(archive_);
}

}  // namespace waybill::asset
