#include "usage/minute.h"

#include <algorithm>

namespace waybill::usage {
namespace {

constexpr char record_version = 1;

Load merged(const Load& a, const Load& b) {
  return {a.half_units + b.half_units, a.requests + b.requests,
          std::max(a.peak_half_units, b.peak_half_units)};
}

void append_number(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) {
    out.push_back(static_cast<char>(value | 0x80));
  }
  out.push_back(static_cast<char>(value));
}

std::optional<uint64_t> take_number(std::string_view& bytes) {
  constexpr int bits_max = 64;
  uint64_t value = 0;
  for (int shift = 0; shift < bits_max && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) {
      return value;
    }
  }
  return std::nullopt;
}

void append_load(std::string& out, const Load& load) {
  append_number(out, load.half_units);
  append_number(out, load.requests);
  append_number(out, load.peak_half_units);
}

std::optional<Load> take_load(std::string_view& bytes) {
  const auto half_units = take_number(bytes);
  const auto requests = take_number(bytes);
  const auto peak = take_number(bytes);
  return peak ? std::optional(Load{*half_units, *requests, *peak}) : std::nullopt;
}

}  // namespace

Minute merged(const Minute& a, const Minute& b) {
  return {merged(a.reads, b.reads), merged(a.writes, b.writes)};
}

std::string encode(const Minute& minute) {
  std::string record(1, record_version);
  append_load(record, minute.reads);
  append_load(record, minute.writes);
  return record;
}

std::optional<Minute> decode(std::string_view record) {
  if (record.empty() || record.front() != record_version) {
    return std::nullopt;
  }
  record.remove_prefix(1);
  const auto reads = take_load(record);
  const auto writes = take_load(record);
  if (!reads || !writes || !record.empty()) {
    return std::nullopt;
  }
  return Minute{*reads, *writes};
}

int64_t days_kept(const table::Recovery& recovery) {
  return recovery.enabled ? recovery.days : days_kept_max;
}

}  // namespace waybill::usage
