#pragma once

#include <cstddef>
#include <cstdint>

namespace waybill::http {

// Takes the chunked transfer coding off a body, in place: content moves down over the chunk headers.
//
//   body    = *(size [";" extension] CRLF data CRLF) "0" [";" extension] CRLF *(trailer CRLF) CRLF
//
// Extensions and trailers are skipped and bounded. Sizes have no sign, prefix or white space.
class ChunkedDecoder {
 public:
  enum class Outcome : unsigned char { more, done, bad, too_large };

  // Offsets into the receive buffer. Content is in [body begin, write); [read, end) is not decoded yet.
  struct Cursor {
    std::size_t write = 0;
    std::size_t read = 0;
  };

  // Decodes what it can of [cursor.read, end) of `data`. Where done, cursor.read is behind the body.
  // `content_bytes_left` is how many more bytes of content are taken before the outcome is too_large.
  Outcome decode(char* data, std::size_t end, Cursor& cursor, std::size_t& content_bytes_left);

 private:
  enum class State : unsigned char {
    size_first,
    size,
    extension,
    size_line_feed,
    data,
    data_return,
    data_line_feed,
    trailer_first,
    trailer,
    trailer_line_feed,
    last_line_feed,
  };

  Outcome take(char c, std::size_t content_bytes_left);
  Outcome take_size_digit(char c, std::size_t content_bytes_left);
  Outcome end_of_size_line(char c);
  Outcome take_skipped(char c, State at_return);
  Outcome expect(char c, char expected, State then);

  State state_ = State::size_first;
  uint64_t chunk_bytes_left_ = 0;
  std::size_t skipped_bytes_ = 0;  // of extensions and trailers, for the whole body
};

}  // namespace waybill::http
