#include "http/response_writer.h"

#include <libdeflate.h>

#include <charconv>
#include <cstdio>
#include <ctime>

namespace waybill::http {
namespace {

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 204:
      return "No Content";
    case 206:
      return "Partial Content";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 412:
      return "Precondition Failed";
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 416:
      return "Range Not Satisfiable";
    case 417:
      return "Expectation Failed";
    case 422:
      return "Unprocessable Content";
    case 428:
      return "Precondition Required";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Answer";
  }
}

void append_number(std::string& out, uint64_t number) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof(digits), number).ptr;
  out.append(digits, static_cast<std::size_t>(end - digits));
}

// Text that may come from outside cannot start a line of its own.
void append_clean(std::string& out, std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out.push_back(byte < 0x20 || byte == 0x7f ? ' ' : c);
  }
}

void append_status_line(std::string& out, int status) {
  if (status == 200) {
    out.append("HTTP/1.1 200 OK\r\n");
    return;
  }
  out.append("HTTP/1.1 ");
  append_number(out, static_cast<uint64_t>(status));
  out.push_back(' ');
  out.append(reason_of(status));
  out.append("\r\n");
}

void append_connection(std::string& out, const ResponseFrame& frame) {
  if (!frame.keep_alive) {
    out.append("Connection: close\r\n");
  } else if (frame.http_1_0) {
    out.append("Connection: keep-alive\r\n");
  }
}

}  // namespace

void append_response_head(std::string& out, const Response& response, const ResponseFrame& frame) {
  append_status_line(out, response.status);
  out.append("Date: ").append(frame.date).append("\r\nServer: Waybill\r\n");
  if (!response.content_type.empty()) {
    out.append("Content-Type: ").append(response.content_type).append("\r\n");
  }
  if (frame.streamed && !frame.content_length) {
    out.append(frame.http_1_0 ? "" : "Transfer-Encoding: chunked\r\n");
  } else if (response.status != 204) {  // RFC 9110, 8.6
    out.append("Content-Length: ");
    append_number(out, frame.content_length.value_or(frame.body.size()));
    out.append("\r\n");
  }
  if (frame.gzipped) {
    out.append("Content-Encoding: gzip\r\n");
  }
  if (!response.request_id.empty()) {
    out.append("x-amzn-RequestId: ").append(response.request_id).append("\r\n");
  }
  if (response.amz_crc32) {
    out.append("x-amz-crc32: ");
    append_number(out, libdeflate_crc32(0, frame.body.data(), frame.body.size()));
    out.append("\r\n");
  }
  for (const auto& [name, value] : response.headers) {
    append_clean(out, name);
    out.append(": ");
    append_clean(out, value);
    out.append("\r\n");
  }
  append_connection(out, frame);
  out.append("\r\n");
}

std::string_view DateText::at(int64_t wall_seconds) {
  constexpr std::size_t date_bytes = 29;  // "Sun, 06 Nov 1994 08:49:37 GMT"
  if (wall_seconds != wall_seconds_) {
    wall_seconds_ = wall_seconds;
    const std::time_t time = wall_seconds;
    std::tm parts{};
    gmtime_r(&time, &parts);
    // The process runs in the "C" locale, so the names are English.
    std::strftime(text_, sizeof(text_), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  }
  return {text_, date_bytes};
}

}  // namespace waybill::http
