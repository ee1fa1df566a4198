#include "job/etag.h"

#include <algorithm>
#include <vector>

#include "base/bytes.h"
#include "job/digest.h"

namespace waybill::job {

namespace {

constexpr std::size_t etag_bytes = 16;

// Attributes in the order of their names: the same item has one tag, however it was written.
std::string hash_of(item::ItemView record) {
  std::vector<std::string_view> attributes;
  item::AttributeCursor cursor(record);
  while (cursor.next()) {
    attributes.push_back(cursor.encoded());
  }
  std::ranges::sort(attributes);
  std::string all;
  for (const auto attribute : attributes) {
    all += attribute;
  }
  return hex_lower(sha256(all).substr(0, etag_bytes));
}

}  // namespace

std::string etag_of(const Subject& subject, item::ItemView record) {
  const auto& version = subject.record().version;
  const auto value = version ? record.find(version->text) : std::nullopt;
  return value && value->type() == item::Type::number ? std::string(value->bytes()) : hash_of(record);
}

}  // namespace waybill::job
