#include "item/value.h"

#include <algorithm>

#include "base/check.h"
#include "item/number.h"

namespace waybill::item {

namespace {

enum Tag : char {
  tag_null,
  tag_false,
  tag_true,
  tag_string,
  tag_number,
  tag_binary,
  tag_string_set,
  tag_number_set,
  tag_binary_set,
  tag_list,
  tag_map,
};

constexpr std::size_t span_bytes = 4;

char tag_of(Type type) {
  // Type lists boolean once, the tags have it twice; behind it they run in step.
  return static_cast<char>(type < Type::string ? static_cast<int>(type) : static_cast<int>(type) + 1);
}

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

uint32_t number_size(std::string_view text) {
  return Decimal::from_normal(text).size_bytes();
}

}  // namespace

std::string_view type_name(Type type) {
  static constexpr std::string_view names[] = {"NULL", "BOOL", "S", "N", "B", "SS", "NS", "BS", "L", "M"};
  return names[static_cast<std::size_t>(type)];
}

Type ValueView::type() const {
  static constexpr Type types[] = {Type::null,       Type::boolean, Type::boolean,    Type::string,
                                   Type::number,     Type::binary,  Type::string_set, Type::number_set,
                                   Type::binary_set, Type::list,    Type::map};
  return types[static_cast<unsigned char>(*at_)];
}

std::string_view ValueView::bytes() const {
  const char* at = at_ + 1;
  const uint32_t length = read_varint(at);
  return {at, length};
}

std::string_view ValueView::container() const {
  return {at_ + 1 + span_bytes, load_u32_le(at_ + 1)};
}

ItemView ValueView::members() const {
  return ItemView(container());
}

ValueCursor ValueView::elements() const {
  return ValueCursor(container());
}

BytesCursor ValueView::set_members() const {
  return BytesCursor(container());
}

std::string_view ValueView::encoded() const {
  if (*at_ <= tag_true) {
    return {at_, 1};
  }
  if (*at_ <= tag_binary) {
    const auto payload = bytes();
    return {at_, static_cast<std::size_t>(payload.data() + payload.size() - at_)};
  }
  return {at_, 1 + span_bytes + load_u32_le(at_ + 1)};
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

void append_set(std::string& out, Type type, std::vector<std::string_view> members) {
  if (type == Type::number_set) {
    std::sort(members.begin(), members.end(), [](std::string_view a, std::string_view b) {
      return Decimal::compare(Decimal::from_normal(a), Decimal::from_normal(b)) < 0;
    });
  } else {
    std::sort(members.begin(), members.end());
  }
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

uint32_t size_bytes(ValueView value) {
  // Containers cost three bytes, and each of their elements one.
  constexpr uint32_t container_bytes = 3;
  constexpr uint32_t element_bytes = 1;
  uint32_t total = 0;
  switch (value.type()) {
    case Type::null:
    case Type::boolean:
      return 1;
    case Type::string:
    case Type::binary:
      return static_cast<uint32_t>(value.bytes().size());
    case Type::number:
      return number_size(value.bytes());
    case Type::string_set:
    case Type::binary_set:
      for (auto cursor = value.set_members(); cursor.next();) {
        total += static_cast<uint32_t>(cursor.bytes().size());
      }
      return total;
    case Type::number_set:
      for (auto cursor = value.set_members(); cursor.next();) {
        total += number_size(cursor.bytes());
      }
      return total;
    case Type::list:
      total = container_bytes;
      for (auto cursor = value.elements(); cursor.next();) {
        total += size_bytes(cursor.value()) + element_bytes;
      }
      return total;
    case Type::map:
      total = container_bytes;
      for (AttributeCursor cursor(value.members()); cursor.next();) {
        total += static_cast<uint32_t>(cursor.name().size()) + size_bytes(cursor.value()) + element_bytes;
      }
      return total;
  }
  return total;
}

uint32_t size_bytes(ItemView item) {
  uint32_t total = 0;
  for (AttributeCursor cursor(item); cursor.next();) {
    total += static_cast<uint32_t>(cursor.name().size()) + size_bytes(cursor.value());
  }
  return total;
}

}  // namespace waybill::item
