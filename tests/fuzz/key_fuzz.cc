// links: table
// Keys from any values: their order is the values' order, and an entry gives its primary key back.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "item/number.h"
#include "item/value.h"
#include "table/key.h"

using namespace waybill;

namespace {

std::string value_of(item::Type type, std::string_view bytes) {
  std::string out;
  if (type != item::Type::number) {
    item::append_scalar(out, type, bytes);
    return out;
  }
  const auto number = item::Decimal::parse(bytes);
  std::string normal = "0";
  if (number) {
    normal.clear();
    number->append_text(normal);
  }
  item::append_scalar(out, type, normal);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  if (size < 2) {
    return 0;
  }
  const auto type = static_cast<item::Type>(static_cast<int>(item::Type::string) + data[0] % 3);
  const std::string_view rest(reinterpret_cast<const char*>(data + 2), size - 2);
  const std::size_t cut = data[1] % (rest.size() + 1);
  const std::string a = value_of(type, rest.substr(0, cut));
  const std::string b = value_of(type, rest.substr(cut));
  std::string a_key;
  std::string b_key;
  table::append_sort(a_key, item::ValueView(a.data()));
  table::append_sort(b_key, item::ValueView(b.data()));
  const int expected = *item::compare(item::ValueView(a.data()), item::ValueView(b.data()));
  const int order = a_key.compare(b_key);
  WAYBILL_CHECK((order < 0 ? -1 : order > 0 ? 1 : 0) == expected);

  table::Index index;
  index.key.partition = {"p", type};
  index.key.sort = table::KeyAttribute{"s", type};
  item::Item item;
  item::append_attribute(item.encoded, "p", item::ValueView(a.data()));
  item::append_attribute(item.encoded, "s", item::ValueView(b.data()));
  if (const auto entry = table::entry_key(index, item.view(), rest)) {
    WAYBILL_CHECK(table::primary_of_entry(index, *entry) == rest);
  }
  return 0;
}
