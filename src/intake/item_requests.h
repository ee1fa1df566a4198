#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "intake/shape.h"
#include "item/value.h"

namespace waybill::intake {

// {"PutRequest":{"Item":{…}}} and {"DeleteRequest":{"Key":{…}}}, as BatchWriteItem has them.
std::string put_request(item::ItemView item);
std::string delete_request(item::ItemView key);

// The key attributes of an item.
item::Item key_in(const Shape& shape, item::ItemView item);

// Whether the item's time to live is over, so that nobody would ever see it.
bool is_expired(const Shape& shape, item::ItemView item, int64_t now_s);

}  // namespace waybill::intake
