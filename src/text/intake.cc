#include "text/intake.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "text/detect.h"
#include "text/refusal.h"

namespace waybill::text {

namespace {

// How many bytes from the beginning on are ASCII and not zero.
std::size_t ascii_prefix(std::string_view bytes) {
  constexpr uint64_t ones = 0x0101010101010101;
  constexpr uint64_t tops = ones * 0x80;
  std::size_t at = 0;
  for (uint64_t eight = 0; at + sizeof(eight) <= bytes.size(); at += sizeof(eight)) {
    std::memcpy(&eight, bytes.data() + at, sizeof(eight));
    // The difference has the top bit of a byte that is zero; also of one that is not ASCII.
    if (((eight | (eight - ones)) & tops) != 0) {
      break;
    }
  }
  while (at < bytes.size() && bytes[at] > 0) {
    ++at;
  }
  return at;
}

}  // namespace

Status Intake::feed(std::string_view bytes, std::string& out) {
  while (!bytes.empty()) {
    switch (state_) {
      case State::beginning:
      case State::sample:
        WAYBILL_TRY(hold(bytes, out));
        break;
      case State::ascii:
        WAYBILL_TRY(pass_ascii(bytes, out));
        break;
      case State::decoding:
        return decoder_->decode(bytes, out);
    }
  }
  return {};
}

Status Intake::finish(std::string& out) {
  while (state_ == State::beginning || state_ == State::sample) {
    WAYBILL_TRY(settle(out, true));
  }
  return state_ == State::decoding ? decoder_->finish(out) : Status();
}

Status Intake::hold(std::string_view& bytes, std::string& out) {
  const std::size_t taken = std::min(sample_bytes_max - held_.size(), bytes.size());
  held_.append(bytes.substr(0, taken));
  bytes.remove_prefix(taken);
  return held_.size() == sample_bytes_max ? settle(out, false) : Status();
}

Status Intake::settle(std::string& out, bool is_whole) {
  return state_ == State::beginning ? settle_beginning(out) : settle_sample(out, is_whole);
}

Status Intake::settle_beginning(std::string& out) {
  if (const auto mark = find_byte_order_mark(held_)) {
    return decode_held(mark->encoding, mark->bytes, out);
  }
  if (const auto zero = held_.find('\0'); zero != std::string::npos) {
    const auto utf16 = find_utf16(held_);
    return utf16 ? decode_held(*utf16, 0, out) : Status(refuse_binary(zero));
  }
  if (const auto escaped = find_escaped(held_)) {
    return decode_held(*escaped, 0, out);
  }
  state_ = State::ascii;
  const std::string beginning = std::exchange(held_, {});
  return feed(beginning, out);
}

Status Intake::pass_ascii(std::string_view& bytes, std::string& out) {
  const std::size_t length = ascii_prefix(bytes);
  out.append(bytes.substr(0, length));
  offset_ += length;
  bytes.remove_prefix(length);
  if (bytes.empty()) {
    return {};
  }
  if (bytes.front() == '\0') {
    return refuse_binary(offset_);
  }
  state_ = State::sample;
  return {};
}

Status Intake::settle_sample(std::string& out, bool is_whole) {
  WAYBILL_TRY_ASSIGN(const auto encoding, choose_encoding(held_, offset_, is_whole));
  return decode_held(encoding, 0, out);
}

Status Intake::decode_held(const Encoding& encoding, std::size_t mark_bytes, std::string& out) {
  WAYBILL_TRY_ASSIGN(decoder_, open_decoder(encoding, offset_ + mark_bytes));
  state_ = State::decoding;
  const std::string held = std::exchange(held_, {});
  return decoder_->decode(std::string_view(held).substr(mark_bytes), out);
}

}  // namespace waybill::text
