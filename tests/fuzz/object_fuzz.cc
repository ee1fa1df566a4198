// links: object
// What clients send about objects: no header, token or body breaks its reader, a chunked body gives the same
// content however it is cut, and ranges lie inside their content.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "object/aws_chunked.h"
#include "object/block_format.h"
#include "object/byte_range.h"
#include "object/checksum.h"
#include "object/content_id.h"
#include "object/continuation_token.h"
#include "object/etag.h"
#include "object/http_date.h"
#include "object/list_fold.h"
#include "object/names.h"

using namespace waybill;

namespace {

struct Decoded {
  bool is_whole = false;
  std::string content;
  std::vector<object::Trailer> trailers;

  bool operator==(const Decoded&) const = default;
};

Decoded decode(object::ChunkFraming framing, std::string_view body, std::size_t piece_bytes) {
  Decoded decoded;
  object::AwsChunkedDecoder decoder(
      {framing, 16, {"x-amz-checksum-crc32"}},
      [&](std::string_view bytes) {
        decoded.content += bytes;
        return Status();
      },
      [](const object::SignedPiece&) { return Status(); });
  for (; !body.empty(); body.remove_prefix(std::min(piece_bytes, body.size()))) {
    static_cast<void>(decoder.feed(body.substr(0, piece_bytes)).has_value());
  }
  decoded.is_whole = decoder.finish().has_value();
  decoded.trailers = decoder.trailers();
  return decoded;
}

void fold(std::string_view text) {
  const auto third = text.size() / 3;
  object::ListQuery query{std::string(text.substr(0, third % 4)), std::string(text.substr(third, 1)), {}, 5};
  query.position = object::position_behind(text.substr(third, third), query);
  object::ListFold fold(query);
  std::string last;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string key = last + text[i];
    if (fold.take(key) == object::ListFold::Step::end) {
      break;
    }
    last = key;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  if (size < 2) {
    return 0;
  }
  const std::string_view rest(reinterpret_cast<const char*>(data + 2), size - 2);
  const auto framing = static_cast<object::ChunkFraming>(data[0] % 3);
  WAYBILL_CHECK(decode(framing, rest, size) == decode(framing, rest, 1 + data[1] % 16));

  const uint64_t content_bytes = data[1];
  const auto decision = object::decide_range(rest, content_bytes);
  WAYBILL_CHECK(decision.range.first + decision.range.length <= content_bytes);
  static_cast<void>(object::read_copy_range(rest, content_bytes).has_value());
  static_cast<void>(object::names_etag(rest, "x", object::TagComparison::weak));
  static_cast<void>(object::check_bucket_name(rest).has_value());
  static_cast<void>(object::check_key(rest).has_value());
  static_cast<void>(object::read_checksum(object::ChecksumAlgorithm::crc32, rest).has_value());
  if (const auto seconds = object::parse_http_date(rest)) {
    WAYBILL_CHECK(*seconds < 0 || object::parse_http_date(object::http_date(*seconds)) == seconds);
  }
  if (const auto position = object::read_continuation_token(rest)) {
    WAYBILL_CHECK(object::make_continuation_token(*position) == rest);
  }
  if (const auto id = object::ContentId::parse(rest)) {
    WAYBILL_CHECK(id->text() == rest && object::is_content_folder(id->folder()));
  }
  if (size >= object::footer_bytes + 2) {
    const auto footer = object::read_footer(rest.substr(rest.size() - object::footer_bytes), rest.size());
    if (footer) {
      static_cast<void>(object::read_map(*footer, rest.substr(footer->lengths_offset())).has_value());
    }
  }
  fold(rest);
  return 0;
}
