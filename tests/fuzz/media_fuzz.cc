// links: media
// What stands between files of strangers, children gone mad, and the server: nothing of it breaks a reader,
// and a WebP that has lost its metadata loses nothing more.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/json.h"
#include "media/format.h"
#include "media/message.h"
#include "media/webp.h"

using namespace waybill;

namespace {

void try_webp(std::string_view bytes) {
  std::string file(bytes);
  const std::size_t once = media::remove_webp_metadata(file.data(), file.size());
  WAYBILL_CHECK(once <= file.size());
  file.resize(once);
  WAYBILL_CHECK(media::remove_webp_metadata(file.data(), file.size()) == once);
}

void try_lines(std::string_view line) {
  json::Parser parser;
  if (const auto request = media::read_request(parser, line)) {
    WAYBILL_CHECK(media::read_request(parser, media::request_line(*request)).has_value());
  }
  if (const auto result = media::read_answer(parser, line)) {
    static_cast<void>(media::read_converted(*result).has_value());
    static_cast<void>(media::read_edited(*result).has_value());
    if (const auto analysis = media::read_analysis(*result)) {
      static_cast<void>(media::to_json(*analysis));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static_cast<void>(media::format_of(bytes));
  try_webp(bytes);
  try_lines(bytes);
  return 0;
}
