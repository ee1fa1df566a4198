#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace waybill::json {

// Up to seven bytes of JSON around a text, held in one word.
class Literal {
 public:
  template <std::size_t size>
  constexpr Literal(const char (&text)[size]) : word_(uint64_t{size - 1} << length_shift) {
    static_assert(size - 1 <= bytes_max);
    for (std::size_t i = 0; i + 1 < size; ++i) {
      word_ |= uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
    }
  }

  static constexpr std::size_t bytes_max = 7;

  // Writes the bytes, and up to eight in all; returns the place behind the last of its own.
  char* write(char* to) const {
    std::memcpy(to, &word_, sizeof(word_));
    return to + (word_ >> length_shift);
  }

 private:
  static constexpr int length_shift = 56;
  uint64_t word_;
};

// Gathers many short pieces of JSON and appends them to a string in few large ones: a piece costs its bytes
// and one comparison, where std::string would check, count and terminate for each.
//
// What was put in is in the string only after flush(), or once the buffer has ended.
class TextBuffer {
 public:
  explicit TextBuffer(std::string& out) : out_(out) {}
  ~TextBuffer() { flush(); }
  TextBuffer(const TextBuffer&) = delete;
  TextBuffer& operator=(const TextBuffer&) = delete;

  void put(char byte) {
    make_room(1);
    *at_++ = byte;
  }

  // A short literal.
  template <std::size_t size>
  void put(const char (&literal)[size]) {
    make_room(size - 1);
    std::memcpy(at_, literal, size - 1);
    at_ += size - 1;
  }

  // Bytes as they are.
  void put(std::string_view text) {
    if (text.size() > bytes_.size()) [[unlikely]] {
      flush();
      out_.append(text);
      return;
    }
    make_room(text.size());
    std::memcpy(at_, text.data(), text.size());
    at_ += text.size();
  }

  // Text as a JSON string, quotes included.
  void put_string(std::string_view text) { put_string("\"", text, "\""); }

  // The same between two literals, which hold the quotes.
  void put_string(Literal before, std::string_view text, Literal behind);

  // The string itself, for those who append to it by other means.
  std::string& flush() {
    out_.append(bytes_.data(), static_cast<std::size_t>(at_ - bytes_.data()));
    at_ = bytes_.data();
    return out_;
  }

 private:
  void make_room(std::size_t count) {
    if (static_cast<std::size_t>(bytes_.data() + bytes_.size() - at_) < count) [[unlikely]] {
      flush();
    }
  }
  void put_long_string(Literal before, std::string_view text, Literal behind);
  void put_text(std::string_view text);
  void put_with_escapes(std::string_view text);
  void put_escaped(unsigned char byte);

  std::string& out_;
  std::array<char, 4096> bytes_;
  char* at_ = bytes_.data();
};

}  // namespace waybill::json
