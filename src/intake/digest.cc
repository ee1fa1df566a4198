#include "intake/digest.h"

#include <algorithm>
#include <charconv>

#include "base/bytes.h"
#include "http/sha256.h"

namespace waybill::intake {

void Digest::add(const Digest& other) {
  low += other.low;
  high += other.high + (low < other.low ? 1 : 0);
}

void Digest::subtract(const Digest& other) {
  high -= other.high + (low < other.low ? 1 : 0);
  low -= other.low;
}

std::string Digest::hex() const {
  std::string bytes;
  append_u64_be(bytes, high);
  append_u64_be(bytes, low);
  return hex_lower(bytes);
}

std::optional<Digest> digest_of_hex(std::string_view text) {
  constexpr std::size_t half = 16;
  Digest digest;
  const auto read = [](std::string_view part, uint64_t& value) {
    const char* const end = part.data() + part.size();
    const auto [stopped, failed] = std::from_chars(part.data(), end, value, 16);
    return failed == std::errc() && stopped == end;
  };
  if (text.size() != 2 * half || !read(text.substr(0, half), digest.high) ||
      !read(text.substr(half), digest.low)) {
    return {};
  }
  return digest;
}

Digest digest_of(std::string_view bytes) {
  const auto hash = http::sha256(bytes);
  const char* const at = http::bytes_of(hash).data();
  return {load_u64_be(at), load_u64_be(at + sizeof(uint64_t))};
}

void append_canonical(std::string& out, item::ValueView value) {
  if (value.type() == item::Type::list) {
    const auto mark = item::open_container(out, item::Type::list);
    for (auto elements = value.elements(); elements.next();) {
      append_canonical(out, elements.value());
    }
    item::close_container(out, mark);
    return;
  }
  if (value.type() != item::Type::map) {
    out += value.encoded();
    return;
  }
  std::vector<std::pair<std::string_view, item::ValueView>> members;
  for (item::AttributeCursor cursor(value.members()); cursor.next();) {
    members.emplace_back(cursor.name(), cursor.value());
  }
  std::ranges::sort(members, {}, &std::pair<std::string_view, item::ValueView>::first);
  const auto mark = item::open_container(out, item::Type::map);
  for (const auto& [name, member] : members) {
    item::append_name(out, name);
    append_canonical(out, member);
  }
  item::close_container(out, mark);
}

Digest digest_of(item::ItemView item, const std::vector<std::string>& names) {
  thread_local std::string bytes;  // its memory is kept from one item to the next
  bytes.clear();
  for (const auto& name : names) {
    if (const auto value = item.find(name)) {
      item::append_name(bytes, name);
      append_canonical(bytes, *value);
    }
  }
  return digest_of(bytes);
}

}  // namespace waybill::intake
