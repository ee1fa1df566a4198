#include "http/head_parser.h"

#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "http/character.h"
#include "http/header_list.h"

namespace waybill::http {
namespace {

constexpr std::size_t method_bytes_max = 32;
constexpr std::size_t content_length_digits_max = 18;  // fits uint64_t whatever the digits

Refusal bad(std::string_view reason) {
  return Refusal{400, reason};
}

// How often the headers that decide the framing were seen, and the value of Host.
struct Seen {
  bool content_length = false;
  bool transfer_encoding = false;
  bool host = false;
  std::string_view host_value;
};

bool is_visible_ascii(std::string_view text) {
  unsigned char outside = 0;
  for (const char c : text) {
    outside |= static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) >= 0x7f ? 1 : 0;
  }
  return outside == 0;
}

// A field value may hold everything but control characters; a tab counts as white space.
bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && byte != '\t') || byte == 0x7f;
}

// How many characters of a token `text` begins with. A function of its own, as the next, for its loop's sake.
[[gnu::noinline]] std::size_t token_bytes(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end && contains(token_characters, *at)) {
    ++at;
  }
  return static_cast<std::size_t>(at - text.data());
}

// The first place from `at` on that no field value may hold; the end of `text` where there is none.
[[gnu::noinline]] std::size_t find_control(std::string_view text, std::size_t at) {
#if defined(__SSE2__)
  constexpr std::size_t step_bytes = 16;
  const auto equal = [](__m128i step, char byte) { return _mm_cmpeq_epi8(step, _mm_set1_epi8(byte)); };
  for (; text.size() - at >= step_bytes; at += step_bytes) {
    const __m128i step = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
    const __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(step, _mm_set1_epi8(0x1f)), step);
    const __m128i control = _mm_or_si128(_mm_andnot_si128(equal(step, '\t'), low), equal(step, 0x7f));
    if (const int found = _mm_movemask_epi8(control); found != 0) {
      return at + static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(found)));
    }
  }
#endif
  while (at < text.size() && !is_control(text[at])) {
    ++at;
  }
  return at;
}

// Most values have one space before them and none behind.
std::string_view trimmed(std::string_view value) {
  if (value.size() >= 2 && value[0] == ' ' && value[1] > ' ' && value.back() > ' ') {
    return value.substr(1);
  }
  return trim_white_space(value);
}

bool starts_ignoring_case(std::string_view text, std::string_view lower_case) {
  return text.size() >= lower_case.size() &&
         equals_ignoring_case(text.substr(0, lower_case.size()), lower_case);
}

void split_target(std::string_view target, Request& request) {
  const auto question = target.find('?');
  request.path = target.substr(0, question);
  request.query = question == std::string_view::npos ? std::string_view() : target.substr(question + 1);
}

Refusal parse_target(Request& request) {
  const std::string_view target = request.target;
  if (!is_visible_ascii(target) || target.find('#') != std::string_view::npos) {
    return bad("request target has characters that must be encoded");
  }
  if (target.starts_with('/')) {
    split_target(target, request);
    return {};
  }
  if (target == "*" && request.method == "OPTIONS") {
    request.path = target;
    request.query = {};
    return {};
  }
  const bool absolute = starts_ignoring_case(target, "http://") || starts_ignoring_case(target, "https://");
  if (!absolute) {
    return bad("request target is neither a path nor an absolute URI");
  }
  const std::string_view rest = target.substr(target.find("//") + 2);
  const auto path_at = rest.find_first_of("/?");
  split_target(path_at == std::string_view::npos ? std::string_view() : rest.substr(path_at), request);
  if (request.path.empty()) {
    request.path = "/";
  }
  return {};
}

// method SP request-target SP HTTP-version, with exactly one space each.
Refusal parse_request_line(std::string_view line, Request& request, Framing& framing) {
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    return bad("request line does not have three parts");
  }
  request.method = line.substr(0, first);
  request.target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (request.method.size() > method_bytes_max || !consists_of(request.method, token_characters)) {
    return bad("method is not a token");
  }
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    const bool other_version = version.size() == 8 && version.starts_with("HTTP/") && version[6] == '.';
    return other_version ? Refusal{505, "HTTP version is not supported"} : bad("HTTP version is malformed");
  }
  framing.http_1_0 = version.back() == '0';
  framing.keep_alive = !framing.http_1_0;
  if (request.target.empty()) {
    return bad("request target is empty");
  }
  return parse_target(request);
}

Refusal take_content_length(std::string_view value, Seen& seen, Framing& framing) {
  if (seen.content_length) {
    return bad("Content-Length is given more than once");
  }
  seen.content_length = true;
  if (value.empty() || value.size() > content_length_digits_max) {
    return bad("Content-Length is not a number");
  }
  for (const char c : value) {
    if (c < '0' || c > '9') {
      return bad("Content-Length is not a number");
    }
    framing.content_length = framing.content_length * 10 + static_cast<uint64_t>(c - '0');
  }
  return {};
}

Refusal take_transfer_encoding(std::string_view value, Seen& seen, Framing& framing) {
  if (seen.transfer_encoding) {
    return bad("Transfer-Encoding is given more than once");
  }
  seen.transfer_encoding = true;
  if (!equals_ignoring_case(value, "chunked")) {
    return bad("Transfer-Encoding is not exactly chunked");
  }
  framing.chunked = true;
  return {};
}

Refusal take_host(std::string_view value, Seen& seen) {
  if (seen.host) {
    return bad("Host is given more than once");
  }
  seen.host = true;
  seen.host_value = value;
  return consists_of(value, host_characters) ? Refusal{} : bad("Host is malformed");
}

Refusal take_expect(std::string_view value, Framing& framing) {
  if (!equals_ignoring_case(value, "100-continue")) {
    return Refusal{417, "only 100-continue can be expected"};
  }
  framing.expect_continue = true;
  return {};
}

void take_connection(std::string_view value, Framing& framing) {
  if (list_has(value, "close")) {
    framing.keep_alive = false;
  } else if (framing.http_1_0 && list_has(value, "keep-alive")) {
    framing.keep_alive = true;
  }
}

ContentCoding content_coding_of(std::string_view value) {
  if (value.empty() || equals_ignoring_case(value, "identity")) {
    return ContentCoding::identity;
  }
  if (equals_ignoring_case(value, "gzip") || equals_ignoring_case(value, "x-gzip")) {
    return ContentCoding::gzip;
  }
  return equals_ignoring_case(value, "deflate") ? ContentCoding::deflate : ContentCoding::unsupported;
}

// Takes note of the headers that concern the server itself. Names are told apart by length first.
Refusal take_header(const Header& header, Seen& seen, Framing& framing) {
  switch (header.name.size()) {
    case 4:
      return equals_ignoring_case(header.name, "host") ? take_host(header.value, seen) : Refusal{};
    case 6:
      return equals_ignoring_case(header.name, "expect") ? take_expect(header.value, framing) : Refusal{};
    case 10:
      if (equals_ignoring_case(header.name, "connection")) {
        take_connection(header.value, framing);
      }
      return {};
    case 14:
      return equals_ignoring_case(header.name, "content-length")
                 ? take_content_length(header.value, seen, framing)
                 : Refusal{};
    case 15:
      if (equals_ignoring_case(header.name, "accept-encoding")) {
        framing.accepts_gzip = framing.accepts_gzip || accepts_coding(header.value, "gzip");
      }
      return {};
    case 16:
      if (equals_ignoring_case(header.name, "content-encoding")) {
        const bool again = framing.coding != ContentCoding::identity;
        framing.coding = again ? ContentCoding::unsupported : content_coding_of(header.value);
      }
      return {};
    case 17:
      return equals_ignoring_case(header.name, "transfer-encoding")
                 ? take_transfer_encoding(header.value, seen, framing)
                 : Refusal{};
    default:
      return {};
  }
}

// Cuts the next header off `rest`, in which every line ends as find_head_end wants it.
Refusal parse_header_line(std::string_view& rest, Header& header) {
  if (rest.front() == ' ' || rest.front() == '\t') {
    return bad("header line is folded");
  }
  const std::size_t at = token_bytes(rest);
  if (at == 0 || at == rest.size() || rest[at] != ':') {
    return bad("header name is not a token followed by a colon");
  }
  const std::size_t end = find_control(rest, at + 1);
  if (!rest.substr(end).starts_with("\r\n")) {
    return bad("header value has a control character");
  }
  header.name = rest.substr(0, at);
  header.value = trimmed(rest.substr(at + 1, end - at - 1));
  rest.remove_prefix(end + 2);
  return {};
}

// RFC 9112, 6.3 leaves a choice in some of these; the stricter one is taken throughout.
Refusal check_whole(const Request& request, const Seen& seen, const Framing& framing) {
  if (seen.content_length && seen.transfer_encoding) {
    return bad("both Content-Length and Transfer-Encoding are given");
  }
  if (framing.http_1_0 && seen.transfer_encoding) {
    return bad("Transfer-Encoding is given in HTTP/1.0");
  }
  if (!seen.host && !framing.http_1_0) {
    return bad("Host is missing");
  }
  if (request.target.front() == '/' || request.target == "*") {
    return {};
  }
  const std::string_view rest = request.target.substr(request.target.find("//") + 2);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?"));
  return equal_ignoring_case(authority, seen.host_value) ? Refusal{}
                                                         : bad("absolute request target does not match Host");
}

// Cuts the next line off `rest`. The caller guarantees that one is there.
std::string_view next_line(std::string_view& rest) {
  const auto line_feed = rest.find('\n');
  const std::string_view line = rest.substr(0, line_feed - 1);
  rest.remove_prefix(line_feed + 1);
  return line;
}

}  // namespace

HeadEnd find_head_end(std::string_view bytes, std::size_t& scanned) {
  const char* const begin = bytes.data();
  const char* const end = begin + bytes.size();
  for (const char* at = begin + scanned; at < end;) {
    const auto* line_feed =
        static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    if (line_feed == nullptr) {
      break;
    }
    if (line_feed == begin || line_feed[-1] != '\r') {
      return HeadEnd::bare_line_feed;
    }
    if (line_feed - begin >= 3 && line_feed[-2] == '\n') {
      scanned = static_cast<std::size_t>(line_feed - begin) + 1;
      return HeadEnd::found;
    }
    at = line_feed + 1;
  }
  scanned = bytes.size();
  return HeadEnd::incomplete;
}

Refusal parse_head(std::string_view head, std::size_t headers_max, Request& request, Framing& framing) {
  framing = Framing{};
  request.headers.clear();
  Seen seen;
  std::string_view rest = head;
  if (Refusal refusal = parse_request_line(next_line(rest), request, framing)) {
    return refusal;
  }
  while (rest.size() > 2) {
    Header header;
    if (Refusal refusal = parse_header_line(rest, header)) {
      return refusal;
    }
    if (request.headers.size() == headers_max) {
      return Refusal{431, "too many headers"};
    }
    request.headers.push_back(header);
    if (Refusal refusal = take_header(header, seen, framing)) {
      return refusal;
    }
  }
  return check_whole(request, seen, framing);
}

}  // namespace waybill::http
