#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace waybill::http {

// The bytes received and not yet consumed, in one piece. Always has 64 readable bytes behind its capacity.
class ReceiveBuffer {
 public:
  static constexpr std::size_t initial_bytes = 4096;
  static constexpr std::size_t padding_bytes = 64;

  char* data() { return bytes_.get() + begin_; }
  std::size_t size() const { return end_ - begin_; }
  bool empty() const { return begin_ == end_; }
  std::string_view view() const { return {bytes_.get() + begin_, size()}; }
  std::size_t capacity() const { return capacity_; }

  // Where the next bytes go.
  char* room() { return bytes_.get() + end_; }
  std::size_t room_bytes() const { return capacity_ - end_; }
  void commit(std::size_t count) { end_ += count; }

  void consume(std::size_t count) {
    begin_ += count;
    if (begin_ == end_) {
      begin_ = end_ = 0;
    }
  }

  // Takes the bytes [from, size()) away from the end of what was received, or moves them down to `to`.
  void move_down(std::size_t from, std::size_t to) {
    std::memmove(data() + to, data() + from, size() - from);
    end_ -= from - to;
  }

  // Moves what it holds to new memory of `capacity` bytes (at least size()). Returns the old memory, so that
  // views of it can be carried over before it goes.
  std::unique_ptr<char[]> reallocate(std::size_t capacity) {
    auto bytes = std::make_unique_for_overwrite<char[]>(capacity + padding_bytes);
    std::memset(bytes.get() + capacity, 0, padding_bytes);
    if (!empty()) {
      std::memcpy(bytes.get(), data(), size());
    }
    end_ = size();
    begin_ = 0;
    capacity_ = capacity;
    std::swap(bytes, bytes_);
    return bytes;
  }

  // Gives the memory back; only where empty.
  void release() {
    bytes_.reset();
    capacity_ = begin_ = end_ = 0;
  }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace waybill::http
