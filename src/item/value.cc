#include "item/value.h"

#include <algorithm>

#include "base/check.h"
#include "item/number.h"

namespace waybill::item {

namespace {

int sign_of(int order) {
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

bool equal_lists(ValueView a, ValueView b) {
  auto left = a.elements();
  auto right = b.elements();
  for (;;) {
    const bool more = left.next();
    if (more != right.next()) {
      return false;
    }
    if (!more) {
      return true;
    }
    if (!equal(left.value(), right.value())) {
      return false;
    }
  }
}

uint32_t count_attributes(ItemView item) {
  uint32_t count = 0;
  for (AttributeCursor cursor(item); cursor.next();) {
    ++count;
  }
  return count;
}

}  // namespace

std::string_view type_name(Type type) {
  static constexpr std::string_view names[] = {"NULL", "BOOL", "S", "N", "B", "SS", "NS", "BS", "L", "M"};
  return names[static_cast<std::size_t>(type)];
}

std::optional<ValueView> ItemView::find(std::string_view name) const {
  for (AttributeCursor cursor(*this); cursor.next();) {
    if (cursor.name() == name) {
      return cursor.value();
    }
  }
  return std::nullopt;
}

void append_null(std::string& out) {
  out.push_back(tag_null);
}

void append_boolean(std::string& out, bool value) {
  out.push_back(value ? tag_true : tag_false);
}

void append_scalar(std::string& out, Type type, std::string_view bytes) {
  out.push_back(tag_of(type));
  append_varint(out, static_cast<uint32_t>(bytes.size()));
  out.append(bytes);
}

std::size_t open_container(std::string& out, Type type) {
  out.push_back(tag_of(type));
  out.append(span_bytes, '\0');
  return out.size();
}

void close_container(std::string& out, std::size_t mark) {
  store_u32_le(out.data() + mark - span_bytes, static_cast<uint32_t>(out.size() - mark));
}

void append_set_member(std::string& out, std::string_view bytes) {
  append_varint(out, static_cast<uint32_t>(bytes.size()));
  out.append(bytes);
}

bool member_less(Type type, std::string_view a, std::string_view b) {
  if (type == Type::number_set) {
    return Decimal::compare(Decimal::from_normal(a), Decimal::from_normal(b)) < 0;
  }
  return a < b;
}

void sort_members(Type type, std::vector<std::string_view>& members) {
  std::sort(members.begin(), members.end(),
            [type](std::string_view a, std::string_view b) { return member_less(type, a, b); });
}

void append_set(std::string& out, Type type, std::vector<std::string_view> members) {
  sort_members(type, members);
  const std::size_t mark = open_container(out, type);
  for (const auto member : members) {
    append_set_member(out, member);
  }
  close_container(out, mark);
}

void append_name(std::string& out, std::string_view name) {
  append_varint(out, static_cast<uint32_t>(name.size()));
  out.append(name);
}

void append_attribute(std::string& out, std::string_view name, ValueView value) {
  append_name(out, name);
  out.append(value.encoded());
}

bool equal(ValueView a, ValueView b) {
  if (a.type() != b.type()) {
    return false;
  }
  switch (a.type()) {
    case Type::null:
      return true;
    case Type::boolean:
      return a.boolean() == b.boolean();
    case Type::string:
    case Type::number:
    case Type::binary:
      return a.bytes() == b.bytes();
    case Type::string_set:
    case Type::number_set:
    case Type::binary_set:
      return a.encoded() == b.encoded();
    case Type::list:
      return equal_lists(a, b);
    case Type::map:
      return equal(a.members(), b.members());
  }
  return false;
}

bool equal(ItemView a, ItemView b) {
  if (a.encoded() == b.encoded()) {
    return true;
  }
  for (AttributeCursor cursor(a); cursor.next();) {
    const auto other = b.find(cursor.name());
    if (!other || !equal(cursor.value(), *other)) {
      return false;
    }
  }
  return count_attributes(a) == count_attributes(b);
}

std::optional<int> compare(ValueView a, ValueView b) {
  if (a.type() != b.type()) {
    return std::nullopt;
  }
  switch (a.type()) {
    case Type::string:
    case Type::binary:
      return sign_of(a.bytes().compare(b.bytes()));
    case Type::number:
      return Decimal::compare(Decimal::from_normal(a.bytes()), Decimal::from_normal(b.bytes()));
    default:
      return std::nullopt;
  }
}

Error nested_too_deep() {
  return invalid(
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
      "supported "
      "limit");
}

namespace {

// Containers cost three bytes, and each of their elements one.
constexpr uint32_t container_size = 3;
constexpr uint32_t element_size = 1;

uint32_t set_size(Type type, std::string_view members) {
  uint32_t total = 0;
  for (BytesCursor cursor(members); cursor.next();) {
    total += type == Type::number_set ? size_of_normal(cursor.bytes())
                                      : static_cast<uint32_t>(cursor.bytes().size());
  }
  return total;
}

[[gnu::noinline]] uint32_t take_container_size(const char*& at);

// The size of the value that begins at `at`, which moves behind it.
uint32_t take_size(const char*& at) {
  const char tag = *at;
  if (tag <= tag_true) {
    ++at;
    return 1;
  }
  if (tag > tag_binary) {
    return take_container_size(at);
  }
  ++at;
  const uint32_t length = read_varint(at);
  const std::string_view bytes(at, length);
  at += length;
  return tag == tag_number ? size_of_normal(bytes) : length;
}

uint32_t take_container_size(const char*& at) {
  const ValueView value(at);
  const char* const end = value.end();
  const Type type = value.type();
  at += 1 + span_bytes;
  if (is_set(type)) {
    const std::string_view members(at, static_cast<std::size_t>(end - at));
    at = end;
    return set_size(type, members);
  }
  uint32_t total = container_size;
  while (at != end) {
    if (type == Type::map) {
      const uint32_t name_bytes = read_varint(at);
      at += name_bytes;
      total += name_bytes;
    }
    total += take_size(at) + element_size;
  }
  return total;
}

}  // namespace

uint32_t size_bytes(ValueView value) {
  const char* at = value.encoded().data();
  return take_size(at);
}

uint32_t size_bytes(ItemView item) {
  uint32_t total = 0;
  const char* at = item.encoded().data();
  const char* const end = at + item.encoded().size();
  while (at != end) {
    const uint32_t name_bytes = read_varint(at);
    at += name_bytes;
    total += name_bytes + take_size(at);
  }
  return total;
}

}  // namespace waybill::item
