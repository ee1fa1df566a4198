#include "load/histogram.h"

#include <algorithm>
#include <cmath>

namespace waybill::load {
namespace {

// Every value within 0.4 % of what is read back, and buckets in the order of their values.
constexpr bool buckets_hold_the_bound() {
  std::size_t last_bucket = 0;
  for (uint64_t value = 0; value < (uint64_t{1} << 42); value += value / 100 + 1) {
    const auto bucket = Histogram::bucket_of(value);
    const auto middle = Histogram::middle_of(bucket);
    const auto off = middle > value ? middle - value : value - middle;
    if (bucket < last_bucket || off * 1000 > value * 4) {
      return false;
    }
    last_bucket = bucket;
  }
  return true;
}

static_assert(buckets_hold_the_bound());
static_assert(Histogram::middle_of(Histogram::bucket_of(0)) == 0);
static_assert(Histogram::middle_of(Histogram::bucket_of(255)) == 255);

}  // namespace

uint64_t Histogram::quantile_ns(double share) const {
  const auto wanted =
      std::max<uint64_t>(1, static_cast<uint64_t>(std::ceil(share * static_cast<double>(count_))));
  uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket) {
    seen += counts_[bucket];
    if (seen >= wanted) {
      return std::min(middle_of(bucket), max_);
    }
  }
  return max_;
}

}  // namespace waybill::load
