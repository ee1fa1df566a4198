// links: http
// Bytes from the wire: the head parser, the chunked decoder, content decoding and the signature check, as a
// connection runs them. Besides not crashing: views stay inside the input, and the decoder gives the same
// outcome however its input is cut.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "http/chunked.h"
#include "http/content_coding.h"
#include "http/head_parser.h"
#include "http/signature.h"

namespace {

using namespace waybill;
using namespace waybill::http;

constexpr std::size_t body_bytes_max = 64 * 1024;

struct Decoded {
  ChunkedDecoder::Outcome outcome = ChunkedDecoder::Outcome::more;
  std::string content;
};

Decoded decode_chunked(std::string bytes, std::size_t step) {
  ChunkedDecoder decoder;
  ChunkedDecoder::Cursor cursor;
  Decoded decoded;
  std::size_t left = body_bytes_max;
  for (std::size_t end = 0; end < bytes.size() && decoded.outcome == ChunkedDecoder::Outcome::more;) {
    end = std::min(end + step, bytes.size());
    decoded.outcome = decoder.decode(bytes.data(), end, cursor, left);
    WAYBILL_CHECK(cursor.write <= cursor.read && cursor.read <= end);
  }
  decoded.content = bytes.substr(0, cursor.write);
  WAYBILL_CHECK(decoded.content.size() <= body_bytes_max);
  return decoded;
}

bool is_inside(std::string_view view, std::string_view whole) {
  return view.empty() || view == "/" ||
         (view.data() >= whole.data() && view.data() + view.size() <= whole.data() + whole.size());
}

const Verifier& verifier() {
  static const ManualClock clock(1'709'210'096'000);
  static const Verifier made(
      {.clock = &clock, .keys = {{"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"}}});
  return made;
}

void check_views(const Request& request, std::string_view head) {
  WAYBILL_CHECK(is_inside(request.method, head) && is_inside(request.target, head));
  WAYBILL_CHECK(is_inside(request.path, head) && is_inside(request.query, head));
  for (const Header& header : request.headers) {
    WAYBILL_CHECK(is_inside(header.name, head) && is_inside(header.value, head));
    WAYBILL_CHECK(header.value.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  std::size_t head_bytes = 0;
  if (find_head_end(input, head_bytes) != HeadEnd::found) {
    return 0;
  }
  const std::string_view head = std::string_view(input).substr(0, head_bytes);
  Request request;
  Framing framing;
  if (parse_head(head, 100, request, framing)) {
    return 0;
  }
  check_views(request, head);
  std::string body = input.substr(head_bytes);
  if (framing.chunked) {
    const Decoded whole = decode_chunked(body, body.size());
    const Decoded pieces = decode_chunked(body, 3);
    WAYBILL_CHECK(whole.outcome == pieces.outcome);
    if (whole.outcome != ChunkedDecoder::Outcome::done) {
      return 0;
    }
    WAYBILL_CHECK(whole.content == pieces.content);
    body = whole.content;
  }
  request.body = request.raw_body = body;
  ContentCoder coder;
  DecodedBody decoded;
  if (framing.coding == ContentCoding::gzip || framing.coding == ContentCoding::deflate) {
    if (!coder.decode(framing.coding, body, body_bytes_max, decoded)) {
      WAYBILL_CHECK(decoded.size <= body_bytes_max);
      request.body = decoded.view();
    }
  }
  (void)verifier().verify(request).has_value();
  return 0;
}
