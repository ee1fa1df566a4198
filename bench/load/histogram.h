#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace waybill::load {

// Counts durations in buckets whose width grows with the value: 128 to each power of two, so that what is
// read back is at most 0.4 % off. Takes 0 to 2^43 ns (2.4 hours); longer ones count as that.
class Histogram {
 public:
  void add(int64_t value_ns) {
    const auto value = value_ns > 0 ? static_cast<uint64_t>(value_ns) : 0;
    ++counts_[bucket_of(value)];
    ++count_;
    sum_ += value;
    max_ = value > max_ ? value : max_;
  }

  void clear() { *this = Histogram(); }

  uint64_t count() const { return count_; }
  double mean_ns() const { return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_); }
  uint64_t max_ns() const { return max_; }

  // The least value that `share` (0 to 1) of all values do not exceed.
  uint64_t quantile_ns(double share) const;

  // Which bucket counts `value`, and the value in its middle. Public for the proof of the error bound.
  static constexpr std::size_t bucket_of(uint64_t value) {
    if (value >= value_max) {
      return bucket_count - 1;
    }
    const int over =
        std::bit_width(value | (2 * fine - 1)) - fine_bits;  // powers of two beyond the exact range
    return static_cast<std::size_t>(over) * fine + static_cast<std::size_t>(value >> over);
  }
  static constexpr uint64_t middle_of(std::size_t bucket) {
    if (bucket < 2 * fine) {
      return bucket;
    }
    const auto over = bucket / fine - 1;
    return ((bucket - over * fine) << over) + (uint64_t{1} << over) / 2;
  }

 private:
  // A bucket of the power p holds 2^p values; the upper half of 2 * 128 positions is used at each power.
  static constexpr int fine_bits = 8;
  static constexpr uint64_t fine = 128;
  static constexpr int value_bits = 43;
  static constexpr uint64_t value_max = uint64_t{1} << value_bits;
  static constexpr std::size_t bucket_count = (value_bits - fine_bits + 2) * fine;

  std::array<uint64_t, bucket_count> counts_{};
  uint64_t count_ = 0;
  uint64_t sum_ = 0;
  uint64_t max_ = 0;
};

}  // namespace waybill::load
