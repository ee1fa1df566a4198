#include "object/content_reader.h"

#include <algorithm>
#include <cstring>

#include "base/bytes.h"
#include "object/crc.h"

namespace waybill::object {
namespace {

constexpr uint64_t run_bytes_max = 1024 * 1024;  // read at a time
constexpr uint64_t kept_sums_max = 16 * 1024;    // of one reader, in memory
constexpr uint64_t end_bytes = 4 * 1024;         // of the file, read to open it

}  // namespace

Result<ContentReader> ContentReader::open(const std::shared_ptr<const ContentPlace>& place,
                                          const ContentId& id) {
  WAYBILL_TRY_ASSIGN(auto placed, place->open(id));
  ContentReader reader(id, std::move(placed));
  if (auto opened = reader.read_end_of_file(); !opened) {
    return reader.damaged(opened.error());
  }
  return reader;
}

// Adds which content it is; the kind stays.
Error ContentReader::damaged(const Error& why) const {
  return {why.kind, why.message, "content " + id_.text() + ": " + why.detail};
}

// One read gives footer and sums of all but large contents.
Status ContentReader::read_end_of_file() {
  const uint64_t file_size = placed_->file_bytes();
  std::string end(std::min(file_size, end_bytes), '\0');
  WAYBILL_TRY(placed_->read(file_size - end.size(), end));
  const auto footer_at = end.size() - std::min(end.size(), footer_bytes);
  WAYBILL_TRY_ASSIGN(const Footer footer, read_footer(std::string_view(end).substr(footer_at), file_size));

  const uint64_t wanted =
      file_size -
      (footer.block_count * sum_bytes <= kept_sums_max ? footer.sums_offset() : footer.lengths_offset());
  if (wanted > end.size()) {
    end.resize(wanted);
    WAYBILL_TRY(placed_->read(file_size - wanted, end));
  }
  end.erase(0, end.size() - wanted);
  const auto map_at = end.size() - footer.map_bytes();
  WAYBILL_TRY_ASSIGN(map_, read_map(footer, std::string_view(end).substr(map_at)));
  end.resize(map_at);
  sums_ = std::move(end);
  return {};
}

Result<std::size_t> ContentReader::read(uint64_t offset, std::span<char> out) const {
  if (offset >= bytes()) {
    return std::size_t{0};
  }
  out = out.first(std::min<uint64_t>(out.size(), bytes() - offset));
  for (std::size_t done = 0; done < out.size();) {
    auto got = read_some(offset + done, out.subspan(done));
    if (!got) {
      std::fill(out.begin(), out.end(), '\0');
      return damaged(got.error());
    }
    done += *got;
  }
  return out.size();
}

Status ContentReader::verify() const {
  std::string buffer(std::min(bytes(), run_bytes_max), '\0');
  for (uint64_t offset = 0; offset < bytes();) {
    WAYBILL_TRY_ASSIGN(const std::size_t got, read(offset, buffer));
    offset += got;
  }
  return {};
}

Result<std::size_t> ContentReader::read_some(uint64_t offset, std::span<char> out) const {
  const Block block = map_.block_at(offset);
  return block.offset == offset && block.bytes <= out.size() ? read_whole_blocks(block, out)
                                                             : read_part_of(block, offset, out);
}

// As many as follow one another and are asked for as a whole.
Result<std::size_t> ContentReader::read_whole_blocks(const Block& first, std::span<char> out) const {
  uint64_t count = first.bytes;
  while (first.offset + count < bytes()) {
    const Block next = map_.block_at(first.offset + count);
    if (count + next.bytes > std::min<uint64_t>(out.size(), run_bytes_max)) {
      break;
    }
    count += next.bytes;
  }
  WAYBILL_TRY(placed_->read(first.offset, out.first(count)));
  WAYBILL_TRY(check_blocks(first, out.first(count)));
  return static_cast<std::size_t>(count);
}

Result<std::size_t> ContentReader::read_part_of(const Block& block, uint64_t offset,
                                                std::span<char> out) const {
  std::string whole(block.bytes, '\0');
  WAYBILL_TRY(placed_->read(block.offset, whole));
  WAYBILL_TRY(check_blocks(block, whole));
  const auto from = offset - block.offset;
  const auto count = std::min<uint64_t>(out.size(), block.bytes - from);
  std::memcpy(out.data(), whole.data() + from, count);
  return static_cast<std::size_t>(count);
}

Status ContentReader::check_blocks(const Block& first, std::span<const char> bytes) const {
  const Block last = map_.block_at(first.offset + bytes.size() - 1);
  WAYBILL_TRY_ASSIGN(const std::string sums, sums_of(first.index, last.index - first.index + 1));
  for (std::size_t done = 0; done < bytes.size();) {
    const Block block = map_.block_at(first.offset + done);
    const uint32_t sum = load_u32_be(sums.data() + (block.index - first.index) * sum_bytes);
    if (crc32c(0, {bytes.data() + done, block.bytes}) != sum) {
      return Error{ErrorKind::corruption, "A stored content is damaged. Restore it from a backup.",
                   "the block at " + std::to_string(block.offset) + " is not as it was written"};
    }
    done += block.bytes;
  }
  return {};
}

Result<std::string> ContentReader::sums_of(uint64_t first_block, uint64_t count) const {
  if (!sums_.empty()) {
    return sums_.substr(first_block * sum_bytes, count * sum_bytes);
  }
  std::string sums(count * sum_bytes, '\0');
  WAYBILL_TRY(placed_->read(sums_offset() + first_block * sum_bytes, sums));
  return sums;
}

}  // namespace waybill::object
