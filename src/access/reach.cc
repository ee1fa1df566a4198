#include "access/reach.h"

#include <algorithm>

namespace waybill::access {

namespace {

bool is_text(item::Type type) {
  return type == item::Type::string || type == item::Type::number;
}

// What a key can be.
bool is_text_or_bytes(item::Type type) {
  return is_text(type) || type == item::Type::binary;
}

}  // namespace

bool Limits::fits_key(item::Type type, std::string_view bytes) const {
  if (partition_keys.empty()) {
    return true;
  }
  return is_text(type) && std::ranges::any_of(partition_keys, [&](const Pattern& pattern) {
           const bool is_comparable = type == item::Type::string || !pattern.is_beginning;
           return is_comparable && pattern.matches(bytes);
         });
}

bool Limits::fits_attributes(item::ItemView item) const {
  return std::ranges::all_of(attributes, [&](const auto& attribute) {
    const auto& [name, values] = attribute;
    const auto value = item.find(name);
    return value && is_text(value->type()) && std::ranges::find(values, value->bytes()) != values.end();
  });
}

Reach Reach::everything() {
  Reach reach;
  reach.everything_ = true;
  return reach;
}

void Reach::add(const LimitsPtr& limits) {
  if (limits == nullptr) {
    everything_ = true;
  } else {
    limits_.push_back(limits);
  }
}

ByKey Reach::by_key(item::Type type, std::string_view bytes) const {
  if (everything_) {
    return ByKey::inside;
  }
  auto known = ByKey::outside;
  for (const auto& limits : limits_) {
    if (!limits->fits_key(type, bytes)) {
      continue;
    }
    if (limits->attributes.empty()) {
      return ByKey::inside;
    }
    known = ByKey::open;
  }
  return known;
}

ByKey Reach::by_key(const table::KeySchema& key, item::ItemView item) const {
  const auto value = item.find(key.partition.name);
  return value && is_text_or_bytes(value->type()) ? by_key(value->type(), value->bytes()) : ByKey::outside;
}

bool Reach::covers(const table::KeySchema& key, item::ItemView item) const {
  if (everything_) {
    return true;
  }
  const auto value = item.find(key.partition.name);
  return value && is_text_or_bytes(value->type()) &&
         std::ranges::any_of(limits_, [&](const LimitsPtr& limits) {
           return limits->fits_key(value->type(), value->bytes()) && limits->fits_attributes(item);
         });
}

std::vector<std::string_view> Reach::attributes() const {
  std::vector<std::string_view> names;
  for (const auto& limits : limits_) {
    for (const auto& [name, values] : limits->attributes) {
      names.emplace_back(name);
    }
  }
  return names;
}

}  // namespace waybill::access
