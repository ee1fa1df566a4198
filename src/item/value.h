#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

// Attribute values and items in the one form in which they are stored, compared and sent.
//
// Encoding, version 1. All lengths are in bytes; len is a varint, span a little-endian u32.
//   item      := attribute*
//   attribute := len name value
//   value     := 0                        null
//              | 1 | 2                    false, true
//              | 3 len bytes              string, UTF-8
//              | 4 len text               number in its normal form (see number.h)
//              | 5 len bytes              binary
//              | 6 span (len bytes)*      string set
//              | 7 span (len text)*       number set
//              | 8 span (len bytes)*      binary set
//              | 9 span value*            list
//              | 10 span attribute*       map
// The members of a set stand in order, each once: strings and binaries by their bytes, numbers by value.
// Names within an item or map are unique. Encoded bytes come from this project's own writers, so
// readers trust their structure; what comes from disk is guarded by the store's checksums.
namespace waybill::item {

enum class Type : unsigned char {
  null,
  boolean,
  string,
  number,
  binary,
  string_set,
  number_set,
  binary_set,
  list,
  map,
};

// How a value begins; see the encoding above.
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
inline constexpr std::size_t span_bytes = 4;

inline char tag_of(Type type) {
  // Type lists boolean once, the tags have it twice; behind it they run in step.
  return static_cast<char>(type < Type::string ? static_cast<int>(type) : static_cast<int>(type) + 1);
}

// "S", "N", "BOOL" …: the name that the service uses for the type.
std::string_view type_name(Type type);

inline bool is_set(Type type) {
  return type == Type::string_set || type == Type::number_set || type == Type::binary_set;
}

class ItemView;
class ValueCursor;
class BytesCursor;

// A view of one encoded value. Two words at most, copied freely, valid as long as the bytes are.
class ValueView {
 public:
  explicit ValueView(const char* at) : at_(at) {}

  Type type() const {
    // See tag_of. The bytes of an item hold no other tag.
    // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange)
    return static_cast<Type>(*at_ <= tag_false ? *at_ : *at_ - 1);
  }
  bool boolean() const { return *at_ == tag_true; }

  // Of a string, number or binary: its bytes.
  std::string_view bytes() const {
    const char* at = at_ + 1;
    const uint32_t length = read_varint(at);
    return {at, length};
  }

  // Of a map: its members as an item. Of a list: its elements. Of a set: its members.
  ItemView members() const;
  ValueCursor elements() const;
  BytesCursor set_members() const;

  // The encoded bytes of this value, tag and all.
  std::string_view encoded() const { return {at_, static_cast<std::size_t>(end() - at_)}; }

  // Behind the last of them.
  const char* end() const {
    if (*at_ <= tag_true) {
      return at_ + 1;
    }
    if (*at_ <= tag_binary) {
      const auto payload = bytes();
      return payload.data() + payload.size();
    }
    return at_ + 1 + span_bytes + load_u32_le(at_ + 1);
  }

 private:
  std::string_view container() const { return {at_ + 1 + span_bytes, load_u32_le(at_ + 1)}; }

  const char* at_;
};

// A view of an encoded item (or of the members of a map).
class ItemView {
 public:
  ItemView() = default;
  explicit ItemView(std::string_view encoded) : encoded_(encoded) {}

  std::optional<ValueView> find(std::string_view name) const;
  std::string_view encoded() const { return encoded_; }
  bool empty() const { return encoded_.empty(); }

 private:
  std::string_view encoded_;
};

// An item that owns its bytes.
struct Item {
  std::string encoded;

  ItemView view() const { return ItemView(encoded); }
};

// while (cursor.next()) use(cursor.name(), cursor.value())
class AttributeCursor {
 public:
  explicit AttributeCursor(ItemView item)
      : at_(item.encoded().data()), end_(item.encoded().data() + item.encoded().size()) {}

  bool next() {
    if (at_ == end_) {
      return false;
    }
    start_ = at_;
    const uint32_t length = read_varint(at_);
    name_ = std::string_view(at_, length);
    at_ += length;
    value_ = ValueView(at_);
    at_ = value_.end();
    return true;
  }

  std::string_view name() const { return name_; }
  ValueView value() const { return value_; }

  // The bytes of name and value together, to be copied into another item as they are.
  std::string_view encoded() const {
    return std::string_view(start_, static_cast<std::size_t>(at_ - start_));
  }

 private:
  const char* at_;
  const char* end_;
  const char* start_ = nullptr;
  std::string_view name_;
  ValueView value_{nullptr};
};

// Walks a list.
class ValueCursor {
 public:
  explicit ValueCursor(std::string_view encoded)
      : at_(encoded.data()), end_(encoded.data() + encoded.size()) {}

  bool next() {
    if (at_ == end_) {
      return false;
    }
    value_ = ValueView(at_);
    at_ = value_.end();
    return true;
  }

  ValueView value() const { return value_; }

 private:
  const char* at_;
  const char* end_;
  ValueView value_{nullptr};
};

// Walks a set.
class BytesCursor {
 public:
  explicit BytesCursor(std::string_view encoded)
      : at_(encoded.data()), end_(encoded.data() + encoded.size()) {}

  bool next() {
    if (at_ == end_) {
      return false;
    }
    const uint32_t length = read_varint(at_);
    bytes_ = std::string_view(at_, length);
    at_ += length;
    return true;
  }

  std::string_view bytes() const { return bytes_; }

 private:
  const char* at_;
  const char* end_;
  std::string_view bytes_;
};

inline ItemView ValueView::members() const {
  return ItemView(container());
}

inline ValueCursor ValueView::elements() const {
  return ValueCursor(container());
}

inline BytesCursor ValueView::set_members() const {
  return BytesCursor(container());
}

// Writers: each appends to `out`. A container is opened, filled and closed:
//   const auto mark = open_container(out, Type::map); … ; close_container(out, mark);
void append_null(std::string& out);
void append_boolean(std::string& out, bool value);
void append_scalar(std::string& out, Type type, std::string_view bytes);  // string, number, binary
std::size_t open_container(std::string& out, Type type);
void close_container(std::string& out, std::size_t mark);
void append_set_member(std::string& out, std::string_view bytes);

// Brings the members of a set into the order in which they are kept.
void sort_members(Type type, std::vector<std::string_view>& members);

// Whether `a` stands before `b` in a set of that type.
bool member_less(Type type, std::string_view a, std::string_view b);

// A whole set of members that differ from each other, brought into order.
void append_set(std::string& out, Type type, std::vector<std::string_view> members);

void append_name(std::string& out, std::string_view name);
void append_attribute(std::string& out, std::string_view name, ValueView value);

// Equality as the service has it: numbers by value (their normal form is unique), lists in order,
// maps by name.
bool equal(ValueView a, ValueView b);
bool equal(ItemView a, ItemView b);

// The sign of a - b for two values of one type among string, number and binary; nullopt for others.
std::optional<int> compare(ValueView a, ValueView b);

// How deep values may stand in one another: an attribute's own value is the first level.
inline constexpr int nesting_levels_max = 32;

// The service's words for an item that is nested deeper than that.
Error nested_too_deep();

// Bytes as the service counts them, for the item limit and capacity units.
uint32_t size_bytes(ValueView value);
uint32_t size_bytes(ItemView item);

}  // namespace waybill::item
