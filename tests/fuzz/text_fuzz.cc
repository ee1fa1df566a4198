// links: text
// Any bytes are a text or are refused, and it does not matter how they are cut into pieces.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "text/analyzer.h"

using namespace waybill;

namespace {

Result<std::optional<text::Figures>> analyze(std::string_view bytes, std::size_t piece_bytes) {
  WAYBILL_TRY_ASSIGN(auto analyzer, text::Analyzer::open({}));
  while (!bytes.empty()) {
    const auto piece = bytes.substr(0, piece_bytes);
    WAYBILL_TRY(analyzer.feed(piece));
    bytes.remove_prefix(piece.size());
  }
  return analyzer.finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  if (size < 1) {
    return 0;
  }
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto whole = analyze(bytes, std::max<std::size_t>(bytes.size(), 1));
  const auto pieces = analyze(bytes, 1 + data[0] % 64);
  WAYBILL_CHECK(whole.has_value() == pieces.has_value());
  if (whole) {
    WAYBILL_CHECK(**whole == **pieces);
  } else {
    WAYBILL_CHECK(whole.error().message == pieces.error().message);
  }
  return 0;
}
