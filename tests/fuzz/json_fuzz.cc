// links: item
// A request's JSON becomes an item and comes out as JSON that reads back the same.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/json.h"
#include "item/json.h"
#include "item/value.h"

using namespace waybill;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  static json::Parser parser;
  static json::Parser second;
  const auto root = parser.parse_copy(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!root || !root->is_object()) {
    return 0;
  }
  const auto item = item::parse_item(*root);
  if (!item) {
    WAYBILL_CHECK(!item.error().message.empty());
    return 0;
  }
  std::string text;
  item::append_json(text, item->view());
  const auto again_root = second.parse_copy(text);
  WAYBILL_CHECK(again_root.has_value());
  const auto again = item::parse_item(*again_root);
  WAYBILL_CHECK(again.has_value());
  WAYBILL_CHECK(again->encoded == item->encoded);
  WAYBILL_CHECK(item::size_bytes(again->view()) == item::size_bytes(item->view()));
  return 0;
}
