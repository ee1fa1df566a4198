#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/check.h"
#include "load/words.h"

namespace waybill::load {

// A text of at most `bytes_max` bytes that lives where it is declared.
template <std::size_t bytes_max>
class FixedText {
 public:
  std::string_view view() const { return {bytes_, size_}; }
  std::size_t size() const { return size_; }
  char* data() { return bytes_; }

  FixedText& add(std::string_view text) {
    std::memcpy(room(text.size()), text.data(), text.size());
    size_ += text.size();
    return *this;
  }
  // A word, and a space behind it.
  FixedText& add_with_space(const Word& word) {
    std::memcpy(room(word.bytes.size()), word.bytes.data(), word.bytes.size());
    size_ += word.size + 1U;
    return *this;
  }
  // The lowest digits of `number`, with zeros in front.
  FixedText& add_digits(uint64_t number, std::size_t count) {
    return add_spelled<10>("0123456789", number, count);
  }
  FixedText& add_hex(uint64_t number, std::size_t count) {
    return add_spelled<16>("0123456789abcdef", number, count);
  }
  // Crockford's base 32, which ULIDs are written in.
  FixedText& add_base32(uint64_t number, std::size_t count) {
    return add_spelled<32>("0123456789ABCDEFGHJKMNPQRSTVWXYZ", number, count);
  }
  void drop_last() { --size_; }

 private:
  template <unsigned base>
  FixedText& add_spelled(const char* digits, uint64_t number, std::size_t count) {
    char* at = room(count);
    for (std::size_t i = count; i-- > 0; number /= base) {
      at[i] = digits[number % base];
    }
    size_ += count;
    return *this;
  }
  char* room(std::size_t count) {
    WAYBILL_CHECK(size_ + count <= bytes_max);
    return bytes_ + size_;
  }

  std::size_t size_ = 0;
  char bytes_[bytes_max];
};

}  // namespace waybill::load
