#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/message.h"

namespace waybill::http {

// Why a request is not taken: the status to answer with, and the reason in a few words. Status 0: it is
// taken.
struct Refusal {
  int status = 0;
  std::string_view reason;  // static text

  explicit operator bool() const { return status != 0; }
};

enum class ContentCoding : unsigned char { identity, gzip, deflate, unsupported };

// What the head of a request says about its body and its connection.
struct Framing {
  uint64_t content_length = 0;  // 0 where chunked
  bool chunked = false;
  bool keep_alive = true;
  bool http_1_0 = false;
  bool expect_continue = false;
  bool accepts_gzip = false;
  ContentCoding coding = ContentCoding::identity;
};

enum class HeadEnd : unsigned char { incomplete, found, bare_line_feed };

// Looks in `bytes` for the empty line that ends a head. `scanned` (0 at first) keeps the place between calls
// with more bytes; where found, it is the length of the head with its empty line.
HeadEnd find_head_end(std::string_view bytes, std::size_t& scanned);

// Parses a whole head (as find_head_end delimits it) into views of it. Where this refuses, the connection
// cannot be trusted any further and has to be closed.
Refusal parse_head(std::string_view head, std::size_t headers_max, Request& request, Framing& framing);

}  // namespace waybill::http
