#include "load/http_frame.h"

#include <strings.h>

#include <algorithm>
#include <charconv>

namespace waybill::load {
namespace {

Error malformed(std::string what) {
  return Error{ErrorKind::malformed, std::move(what), {}};
}

bool has_name(std::string_view line, std::string_view name) {
  return line.size() > name.size() && line[name.size()] == ':' &&
         ::strncasecmp(line.data(), name.data(), name.size()) == 0;
}

std::string_view value_of(std::string_view line) {
  line.remove_prefix(line.find(':') + 1);
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return line;
}

struct Head {
  int status = 0;
  bool chunked = false;
  std::size_t body_bytes = 0;
};

Result<Head> read_head(std::string_view text) {
  Head head;
  constexpr std::string_view version = "HTTP/1.1 ";
  if (!text.starts_with(version) || text.size() < version.size() + 3) {
    return malformed("not an HTTP/1.1 response: " + std::string(text.substr(0, 100)));
  }
  std::from_chars(text.data() + version.size(), text.data() + version.size() + 3, head.status);
  bool framed = false;
  for (auto at = text.find("\r\n"); at != text.npos; at = text.find("\r\n")) {
    text.remove_prefix(at + 2);
    const auto line = text.substr(0, text.find("\r\n"));
    if (has_name(line, "content-length")) {
      const auto value = value_of(line);
      std::from_chars(value.data(), value.data() + value.size(), head.body_bytes);
      framed = true;
    } else if (has_name(line, "transfer-encoding")) {
      framed = head.chunked = true;
    }
  }
  return framed ? Result<Head>(head) : malformed("a response without Content-Length");
}

// Puts the chunks behind one another and returns their size as sent; 0 where some are still to come.
Result<std::size_t> join_chunks(std::string_view sent, std::string& chunks) {
  chunks.clear();
  const auto* const begin = sent.data();
  while (true) {
    const auto line_end = sent.find("\r\n");
    if (line_end == sent.npos) {
      return std::size_t{0};
    }
    std::size_t bytes = 0;
    if (std::from_chars(sent.data(), sent.data() + line_end, bytes, 16).ec != std::errc()) {
      return malformed("a chunk without its size");
    }
    sent.remove_prefix(line_end + 2);
    if (sent.size() < bytes + 2) {
      return std::size_t{0};
    }
    chunks.append(sent.substr(0, bytes));
    sent.remove_prefix(bytes + 2);
    if (bytes == 0) {
      return static_cast<std::size_t>(sent.data() - begin);
    }
  }
}

}  // namespace

Result<HttpFrame> read_http_frame(std::string_view received, std::string& chunks) {
  const auto head_bytes = received.find("\r\n\r\n");
  if (head_bytes == received.npos) {
    return HttpFrame{};
  }
  WAYBILL_TRY_ASSIGN(const auto head, read_head(received.substr(0, head_bytes)));
  const auto rest = received.substr(head_bytes + 4);
  if (head.chunked) {
    WAYBILL_TRY_ASSIGN(const auto bytes, join_chunks(rest, chunks));
    return HttpFrame{bytes == 0 ? 0 : head_bytes + 4 + bytes, head.status, chunks};
  }
  if (rest.size() < head.body_bytes) {
    return HttpFrame{};
  }
  return HttpFrame{head_bytes + 4 + head.body_bytes, head.status, rest.substr(0, head.body_bytes)};
}

}  // namespace waybill::load
