#include "table/stream.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

namespace waybill::table {

namespace {

constexpr std::size_t time_digits = 13;
constexpr std::size_t number_digits = 15;
constexpr std::string_view shard_prefix = "shardId-";
constexpr std::array<std::string_view, 4> view_names = {"KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE",
                                                        "NEW_AND_OLD_IMAGES"};

std::string padded(uint64_t value, std::size_t digits) {
  std::string text = std::to_string(value);
  return std::string(digits - std::min(digits, text.size()), '0') + text;
}

std::optional<uint64_t> parse_digits(std::string_view digits) {
  uint64_t value = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size();
  return whole && !digits.empty() ? std::optional(value) : std::nullopt;
}

}  // namespace

Shard shard_of(const Stream& stream, int64_t number) {
  const int64_t begin_ms = stream.begin.time_ms + number * shard_life_ms;
  Shard shard{number, {begin_ms, 0}, {begin_ms + shard_life_ms, 0}};
  shard.begin = std::max(shard.begin, stream.begin);
  if (stream.end) {
    shard.end = std::min(shard.end, *stream.end);
  }
  return shard;
}

ShardNumbers readable_shards(const Stream& stream, int64_t now_ms) {
  const int64_t last_ms = std::max(stream.end ? stream.end->time_ms : now_ms, stream.begin.time_ms);
  ShardNumbers numbers;
  numbers.last = (last_ms - stream.begin.time_ms) / shard_life_ms;
  const int64_t trimmed_ms = now_ms - stream_retention_ms - stream.begin.time_ms;
  numbers.first = std::clamp<int64_t>(trimmed_ms / shard_life_ms, 0, numbers.last);
  return numbers;
}

std::string shard_id(const Stream& stream, int64_t number) {
  constexpr std::size_t id_time_digits = 20;
  constexpr std::size_t id_number_digits = 8;
  const int64_t begin_ms = stream.begin.time_ms + number * shard_life_ms;
  return std::string(shard_prefix) + padded(static_cast<uint64_t>(begin_ms), id_time_digits) + '-' +
         padded(static_cast<uint64_t>(number), id_number_digits);
}

std::optional<int64_t> shard_number(const Stream& stream, std::string_view id) {
  const auto dash = id.rfind('-');
  if (!id.starts_with(shard_prefix) || dash == std::string_view::npos) {
    return std::nullopt;
  }
  int64_t number = 0;
  const auto* const end = id.data() + id.size();
  const auto parsed = std::from_chars(id.data() + dash + 1, end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || number < 0 || shard_id(stream, number) != id) {
    return std::nullopt;
  }
  return number;
}

std::string sequence_number(const ChangePlace& place) {
  return padded(static_cast<uint64_t>(place.time_ms), time_digits) + padded(place.number, number_digits);
}

std::optional<ChangePlace> parse_sequence_number(std::string_view digits) {
  if (digits.size() != time_digits + number_digits) {
    return std::nullopt;
  }
  const auto time = parse_digits(digits.substr(0, time_digits));
  const auto number = parse_digits(digits.substr(time_digits));
  if (!time || !number) {
    return std::nullopt;
  }
  return ChangePlace{static_cast<int64_t>(*time), *number};
}

std::string_view name_of(StreamView view) {
  return view_names[static_cast<std::size_t>(view)];
}

std::optional<StreamView> stream_view_of(std::string_view name) {
  const auto found = std::find(view_names.begin(), view_names.end(), name);
  return found == view_names.end() ? std::nullopt
                                   : std::optional(static_cast<StreamView>(found - view_names.begin()));
}

std::string stream_label(int64_t ms) {
  namespace chrono = std::chrono;
  const chrono::sys_time<chrono::milliseconds> moment{chrono::milliseconds(ms)};
  const auto day = chrono::floor<chrono::days>(moment);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss time(moment - day);
  return padded(static_cast<uint64_t>(static_cast<int>(date.year())), 4) + '-' +
         padded(static_cast<unsigned>(date.month()), 2) + '-' + padded(static_cast<unsigned>(date.day()), 2) +
         'T' + padded(static_cast<uint64_t>(time.hours().count()), 2) + ':' +
         padded(static_cast<uint64_t>(time.minutes().count()), 2) + ':' +
         padded(static_cast<uint64_t>(time.seconds().count()), 2) + '.' +
         padded(static_cast<uint64_t>(time.subseconds().count()), 3);
}

}  // namespace waybill::table
