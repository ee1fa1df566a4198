#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "item/value.h"

namespace waybill::intake {

// 128 bits of SHA-256. Their sum is a checksum of many in any order.
struct Digest {
  uint64_t high = 0;
  uint64_t low = 0;

  auto operator<=>(const Digest&) const = default;
  void add(const Digest& other);
  void subtract(const Digest& other);
  std::string hex() const;
};

// What hex() gave; nothing where it is no such text.
std::optional<Digest> digest_of_hex(std::string_view text);

Digest digest_of(std::string_view bytes);

// Of the attributes of these names, sorted, as far as the item has them. Items that are equal have the same,
// whatever order their maps are in.
Digest digest_of(item::ItemView item, const std::vector<std::string>& names);

// The bytes that are hashed for one value.
void append_canonical(std::string& out, item::ValueView value);

}  // namespace waybill::intake
