#include "api/streams/shard_iterator.h"

#include "base/bytes.h"

namespace waybill::api::streams {
namespace {

constexpr std::string_view mark = "|1|";
constexpr std::size_t numbers = 4;
constexpr std::size_t payload_bytes = numbers * sizeof(uint64_t) + 1;

}  // namespace

std::string to_text(const ShardIterator& iterator) {
  std::string payload;
  append_u64_be(payload, static_cast<uint64_t>(iterator.shard));
  append_u64_be(payload, static_cast<uint64_t>(iterator.place.time_ms));
  append_u64_be(payload, iterator.place.number);
  append_u64_be(payload, static_cast<uint64_t>(iterator.made_ms));
  payload.push_back(iterator.from_horizon ? 1 : 0);
  std::string text = iterator.stream_arn;
  text.append(mark);
  append_base64(text, payload);
  return text;
}

std::optional<ShardIterator> parse_iterator(std::string_view text) {
  const auto at = text.rfind(mark);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const auto payload = decode_base64(text.substr(at + mark.size()));
  if (!payload || payload->size() != payload_bytes) {
    return std::nullopt;
  }
  const auto number = [&](std::size_t i) { return load_u64_be(payload->data() + i * sizeof(uint64_t)); };
  ShardIterator iterator;
  iterator.stream_arn = text.substr(0, at);
  iterator.shard = static_cast<int64_t>(number(0));
  iterator.place = {static_cast<int64_t>(number(1)), number(2)};
  iterator.made_ms = static_cast<int64_t>(number(3));
  iterator.from_horizon = payload->back() != 0;
  return iterator;
}

}  // namespace waybill::api::streams
