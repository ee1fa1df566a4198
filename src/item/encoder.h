#pragma once

#include <cstring>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "item/value.h"

namespace waybill::item {

// Gathers encoded values (see value.h) in memory that is kept from one item to the next; a piece costs its
// bytes and one comparison. What is taken from bytes() is valid until the next change.
class Encoder {
 public:
  void clear() {
    if (bytes_.size() > kept_bytes_max) [[unlikely]] {
      bytes_ = std::vector<char>(first_bytes);
    }
    used_ = 0;
  }
  std::string_view bytes() const { return {bytes_.data(), used_}; }

  void put_null() { put_byte(tag_null); }
  void put_boolean(bool value) { put_byte(value ? tag_true : tag_false); }

  // A name, or a member of a set.
  void put_sized(std::string_view bytes) { used_ = offset(write_sized(room(sized_bytes_max(bytes)), bytes)); }

  // A string, number or binary.
  void put_scalar(Type type, std::string_view bytes) {
    char* at = room(1 + sized_bytes_max(bytes));
    *at++ = tag_of(type);
    used_ = offset(write_sized(at, bytes));
  }

  // A set, list or map is opened, filled and closed: the mark is where its content begins.
  std::size_t open_container(Type type) {
    char* at = room(1 + span_bytes);
    *at = tag_of(type);
    used_ += 1 + span_bytes;
    return used_;
  }
  void close_container(std::size_t mark) {
    store_u32_le(bytes_.data() + mark - span_bytes, static_cast<uint32_t>(used_ - mark));
  }

  // Drops what was put in behind `mark`.
  void cut(std::size_t mark) { used_ = mark; }

 private:
  static constexpr std::size_t varint_bytes_max = 5;
  static constexpr std::size_t first_bytes = 4096;
  static constexpr std::size_t kept_bytes_max = 1 << 20;

  static std::size_t sized_bytes_max(std::string_view bytes) { return varint_bytes_max + bytes.size(); }

  static char* write_sized(char* at, std::string_view bytes) {
    auto length = static_cast<uint32_t>(bytes.size());
    for (; length >= 0x80; length >>= 7) {
      *at++ = static_cast<char>(length | 0x80);
    }
    *at++ = static_cast<char>(length);
    std::memcpy(at, bytes.data(), bytes.size());
    return at + bytes.size();
  }

  void put_byte(char byte) {
    *room(1) = byte;
    ++used_;
  }

  char* room(std::size_t count) {
    if (bytes_.size() - used_ < count) [[unlikely]] {
      grow(count);
    }
    return bytes_.data() + used_;
  }
  void grow(std::size_t count) { bytes_.resize(2 * bytes_.size() + count); }
  std::size_t offset(const char* at) const { return static_cast<std::size_t>(at - bytes_.data()); }

  std::vector<char> bytes_ = std::vector<char>(first_bytes);  // the first used_ of them are written
  std::size_t used_ = 0;
};

}  // namespace waybill::item
