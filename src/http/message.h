#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace waybill::http {

struct Header {
  std::string_view name;   // as sent; compare without regard to case
  std::string_view value;  // without the white space around it
};

// One request whose framing has been checked and whose body is whole.
//
// Every view points into memory of the connection. It stays valid until the Responder of this request has
// sent its answer, also where the client has gone away before.
struct Request {
  std::string_view method;  // "POST"; a token, case kept
  std::string_view target;  // the request target as sent
  std::string_view path;    // its path, not decoded
  std::string_view query;   // its query without '?', not decoded; may be empty
  std::vector<Header> headers;

  // The body with chunking removed and a gzip or deflate content encoding undone. At least 64 readable
  // bytes follow it, for parsers that read past the end.
  std::string_view body;
  // The body with chunking removed, before its content encoding is undone: what a payload hash covers.
  std::string_view raw_body;

  std::string_view peer;  // the remote address, "127.0.0.1:40312"

  // The value of the first header of that name, or an empty view where there is none.
  std::string_view header(std::string_view lower_case_name) const;
  bool has_header(std::string_view lower_case_name) const;
  // True where more than one header has that name.
  bool duplicate_header(std::string_view lower_case_name) const;
};

// One answer. The server adds Date, Server, Content-Length and, where due, Connection and Content-Encoding.
struct Response {
  int status = 200;
  std::string_view content_type;  // static text; no header where empty
  std::string body;
  std::string request_id;  // sent as x-amzn-RequestId when not empty
  bool amz_crc32 = false;  // send x-amz-crc32 of the body's bytes as sent (after gzip)
  std::vector<std::pair<std::string, std::string>> headers;  // further ones; control characters become spaces
  bool close = false;                                        // end the connection after this answer
};

// What equals_ignoring_case asks of two texts of one length.
bool same_ignoring_case(const char* text, const char* lower_case, std::size_t size);

// True where `text` equals `lower_case` without regard to ASCII case.
inline bool equals_ignoring_case(std::string_view text, std::string_view lower_case) {
  return text.size() == lower_case.size() && same_ignoring_case(text.data(), lower_case.data(), text.size());
}

}  // namespace waybill::http
