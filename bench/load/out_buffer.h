#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

namespace waybill::load {

// Bytes being put together, in memory that is kept from one use to the next.
//
// Views of it live until the next call that adds to it or clears it.
class OutBuffer {
 public:
  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  std::string_view view() const { return {bytes_.get(), size_}; }
  char* data() { return bytes_.get(); }

  OutBuffer& add(std::string_view text) {
    std::memcpy(room(text.size()), text.data(), text.size());
    size_ += text.size();
    return *this;
  }
  OutBuffer& add(char c) {
    *room(1) = c;
    ++size_;
    return *this;
  }
  OutBuffer& add_number(int64_t number) {
    constexpr std::size_t digits_max = 20;
    char* at = room(digits_max);
    size_ += static_cast<std::size_t>(std::to_chars(at, at + digits_max, number).ptr - at);
    return *this;
  }
  // In network order.
  OutBuffer& add_int32(std::size_t number) {
    put_int32(room(4), number);
    size_ += 4;
    return *this;
  }
  OutBuffer& add_int16(std::size_t number) {
    add(static_cast<char>(number >> 8));
    return add(static_cast<char>(number));
  }
  // Leaves `count` bytes free, to be written later through data().
  OutBuffer& skip(std::size_t count) {
    room(count);
    size_ += count;
    return *this;
  }

  static void put_int32(char* at, std::size_t number) {
    for (int i = 0; i < 4; ++i) {
      at[i] = static_cast<char>(number >> (8 * (3 - i)));
    }
  }

 private:
  // Where the next `count` bytes go.
  char* room(std::size_t count) {
    if (size_ + count > capacity_) {
      grow(size_ + count);
    }
    return bytes_.get() + size_;
  }
  void grow(std::size_t needed) {
    auto larger = std::make_unique_for_overwrite<char[]>(needed * 2);
    if (size_ != 0) {
      std::memcpy(larger.get(), bytes_.get(), size_);
    }
    bytes_ = std::move(larger);
    capacity_ = needed * 2;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace waybill::load
