#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/message.h"

namespace waybill::http {

// What the connection adds to an answer.
struct ResponseFrame {
  std::string_view date;  // see DateText
  bool keep_alive = true;
  bool http_1_0 = false;  // the client's version: it has to be told that the connection stays
  bool gzipped = false;   // `body` is compressed already
  std::string_view body;  // as it will be sent
  bool streamed = false;  // the body comes later: of `content_length`, or else in chunks, or up to the close
  std::optional<uint64_t> content_length = {};
};

// Appends status line and headers, with the empty line that ends them.
void append_response_head(std::string& out, const Response& response, const ResponseFrame& frame);

// The value of a Date header, formatted anew once a second.
class DateText {
 public:
  std::string_view at(int64_t wall_seconds);

 private:
  int64_t wall_seconds_ = INT64_MIN;
  char text_[32] = {};
};

}  // namespace waybill::http
