#include "http/chunked.h"

#include <algorithm>
#include <cstring>

#include "http/character.h"

namespace waybill::http {
namespace {

constexpr std::size_t skipped_bytes_max = 8 * 1024;

bool is_skippable(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 0x20 && byte != 0x7f) || byte == '\t';
}

}  // namespace

ChunkedDecoder::Outcome ChunkedDecoder::decode(char* data, std::size_t end, Cursor& cursor,
                                               std::size_t& content_bytes_left) {
  while (cursor.read < end) {
    if (state_ == State::data) {
      const auto count = std::min<std::size_t>(end - cursor.read, chunk_bytes_left_);
      std::memmove(data + cursor.write, data + cursor.read, count);
      cursor.write += count;
      cursor.read += count;
      content_bytes_left -= count;
      chunk_bytes_left_ -= count;
      if (chunk_bytes_left_ == 0) {
        state_ = State::data_return;
      }
      continue;
    }
    const Outcome outcome = take(data[cursor.read++], content_bytes_left);
    if (outcome != Outcome::more) {
      return outcome;
    }
  }
  return Outcome::more;
}

ChunkedDecoder::Outcome ChunkedDecoder::take(char c, std::size_t content_bytes_left) {
  switch (state_) {
    case State::size_first:
      state_ = State::size;
      return hex_value(c) < 0 ? Outcome::bad : take_size_digit(c, content_bytes_left);
    case State::size:
      return hex_value(c) < 0 ? end_of_size_line(c) : take_size_digit(c, content_bytes_left);
    case State::extension:
      return take_skipped(c, State::size_line_feed);
    case State::size_line_feed:
      return expect(c, '\n', chunk_bytes_left_ == 0 ? State::trailer_first : State::data);
    case State::data:
      return Outcome::bad;
    case State::data_return:
      return expect(c, '\r', State::data_line_feed);
    case State::data_line_feed:
      return expect(c, '\n', State::size_first);
    case State::trailer_first:
      if (c == '\r') {
        state_ = State::last_line_feed;
        return Outcome::more;
      }
      state_ = State::trailer;
      return contains(token_characters, c) ? take_skipped(c, State::trailer_line_feed) : Outcome::bad;
    case State::trailer:
      return take_skipped(c, State::trailer_line_feed);
    case State::trailer_line_feed:
      return expect(c, '\n', State::trailer_first);
    case State::last_line_feed:
      return c == '\n' ? Outcome::done : Outcome::bad;
  }
  return Outcome::bad;
}

ChunkedDecoder::Outcome ChunkedDecoder::take_size_digit(char c, std::size_t content_bytes_left) {
  chunk_bytes_left_ = chunk_bytes_left_ * 16 + static_cast<uint64_t>(hex_value(c));
  // Zeros in front never trip this, so they count as skipped bytes.
  if (chunk_bytes_left_ == 0 && ++skipped_bytes_ > skipped_bytes_max) {
    return Outcome::bad;
  }
  return chunk_bytes_left_ > content_bytes_left ? Outcome::too_large : Outcome::more;
}

ChunkedDecoder::Outcome ChunkedDecoder::end_of_size_line(char c) {
  if (c == ';') {
    state_ = State::extension;
    return Outcome::more;
  }
  return expect(c, '\r', State::size_line_feed);
}

ChunkedDecoder::Outcome ChunkedDecoder::take_skipped(char c, State at_return) {
  if (c == '\r') {
    state_ = at_return;
    return Outcome::more;
  }
  return is_skippable(c) && ++skipped_bytes_ <= skipped_bytes_max ? Outcome::more : Outcome::bad;
}

ChunkedDecoder::Outcome ChunkedDecoder::expect(char c, char expected, State then) {
  state_ = then;
  return c == expected ? Outcome::more : Outcome::bad;
}

}  // namespace waybill::http
