#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace waybill::json {

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
    bytes_[used_++] = byte;
  }

  // A short literal.
  template <std::size_t size>
  void put(const char (&literal)[size]) {
    make_room(size - 1);
    std::memcpy(bytes_.data() + used_, literal, size - 1);
    used_ += size - 1;
  }

  // Bytes as they are.
  void put(std::string_view text) {
    if (text.size() > bytes_.size()) {
      flush();
      out_.append(text);
      return;
    }
    make_room(text.size());
    std::memcpy(bytes_.data() + used_, text.data(), text.size());
    used_ += text.size();
  }

  // Text as a JSON string, quotes included.
  void put_string(std::string_view text);

  // The string itself, for those who append to it by other means.
  std::string& flush() {
    out_.append(bytes_.data(), used_);
    used_ = 0;
    return out_;
  }

 private:
  void make_room(std::size_t count) {
    if (bytes_.size() - used_ < count) [[unlikely]] {
      flush();
    }
  }
  void put_escaped(unsigned char byte);

  std::string& out_;
  std::size_t used_ = 0;
  std::array<char, 2048> bytes_;
};

}  // namespace waybill::json
