#include "intake/item_requests.h"

#include "item/json.h"
#include "item/number.h"

namespace waybill::intake {

std::string put_request(item::ItemView item) {
  std::string text = R"({"PutRequest":{"Item":)";
  item::append_json(text, item);
  return text + "}}";
}

std::string delete_request(item::ItemView key) {
  std::string text = R"({"DeleteRequest":{"Key":)";
  item::append_json(text, key);
  return text + "}}";
}

item::Item key_in(const Shape& shape, item::ItemView item) {
  item::Item key;
  for (const auto& part : shape.key) {
    if (const auto value = item.find(part.attribute)) {
      item::append_attribute(key.encoded, part.attribute, *value);
    }
  }
  return key;
}

// Times that lie more than five years back do not count, as with the service: they are mistakes.
bool is_expired(const Shape& shape, item::ItemView item, int64_t now_s) {
  constexpr int64_t five_years_s = int64_t{5} * 365 * 86'400;
  const auto value = shape.ttl.empty() ? std::nullopt : item.find(shape.ttl);
  int64_t end_s = 0;
  return value && value->type() == item::Type::number &&
         item::Decimal::from_normal(value->bytes()).to_int64(end_s) && end_s <= now_s &&
         end_s > now_s - five_years_s;
}

}  // namespace waybill::intake
