#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "base/check.h"

namespace waybill::expression {

// A vector that keeps its first N elements in place. Most expressions have one or two operands, so
// their trees need no memory of their own.
template <typename T, std::size_t N>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  SmallVector() = default;
  SmallVector(SmallVector&& other) noexcept { take(other); }
  SmallVector(const SmallVector& other) { copy(other); }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) {
      take(other);
    }
    return *this;
  }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) {
      copy(other);
    }
    return *this;
  }
  ~SmallVector() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return far_ ? far_.get() : near_; }
  const T* data() const { return far_ ? far_.get() : near_; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }

  void push_back(const T& value) {
    const T kept = value;
    if (size_ == capacity_) {
      grow();
    }
    data()[size_++] = kept;
  }

  void insert(std::size_t at, const T& value) {
    push_back(value);
    const T kept = back();
    T* const place = data() + at;
    std::memmove(static_cast<void*>(place + 1), place, (size_ - 1 - at) * sizeof(T));
    *place = kept;
  }

  void pop_back() {
    WAYBILL_CHECK(size_ > 0);
    --size_;
  }

 private:
  void grow() {
    const std::size_t wider = std::size_t{capacity_} * 2;
    auto fresh = std::make_unique<T[]>(wider);
    std::memcpy(static_cast<void*>(fresh.get()), data(), size_ * sizeof(T));
    far_ = std::move(fresh);
    capacity_ = static_cast<uint32_t>(wider);
  }

  void take(SmallVector& other) {
    far_ = std::move(other.far_);
    if (!far_ && other.size_ > 0) {
      // All of them, used or not: so many bytes, known to the compiler, are a few moves in place of a call.
      std::memcpy(static_cast<void*>(near_), other.near_, sizeof(near_));
    }
    capacity_ = std::exchange(other.capacity_, static_cast<uint32_t>(N));
    size_ = std::exchange(other.size_, 0);
  }

  void copy(const SmallVector& other) {
    far_ = other.far_ ? std::make_unique<T[]>(other.capacity_) : nullptr;
    capacity_ = other.capacity_;
    size_ = other.size_;
    std::memcpy(static_cast<void*>(data()), other.data(), size_ * sizeof(T));
  }

  std::unique_ptr<T[]> far_;
  uint32_t size_ = 0;
  uint32_t capacity_ = N;
  T near_[N];
};

}  // namespace waybill::expression
