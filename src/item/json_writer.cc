#include "base/text_buffer.h"
#include "item/json.h"

namespace waybill::item {

namespace {

using json::TextBuffer;

void put_item(TextBuffer& out, ItemView item);
void put_value(TextBuffer& out, ValueView value);

void put_binary(TextBuffer& out, std::string_view bytes) {
  out.put('"');
  append_base64(out.flush(), bytes);
  out.put('"');
}

void put_members(TextBuffer& out, Type type, BytesCursor cursor) {
  bool first = true;
  for (; cursor.next(); first = false) {
    if (!first) {
      out.put(',');
    }
    if (type == Type::binary_set) {
      put_binary(out, cursor.bytes());
    } else {
      out.put_string(cursor.bytes());
    }
  }
}

void put_elements(TextBuffer& out, ValueCursor cursor) {
  bool first = true;
  for (; cursor.next(); first = false) {
    if (!first) {
      out.put(',');
    }
    put_value(out, cursor.value());
  }
}

// All but strings and numbers.
[[gnu::noinline]] void put_other(TextBuffer& out, ValueView value) {
  switch (value.type()) {
    case Type::null:
      out.put(R"({"NULL":true})");
      return;
    case Type::boolean:
      out.put(value.boolean() ? std::string_view(R"({"BOOL":true})") : R"({"BOOL":false})");
      return;
    case Type::string:
    case Type::number:
      return;
    case Type::binary:
      out.put(R"({"B":)");
      put_binary(out, value.bytes());
      out.put('}');
      return;
    case Type::string_set:
    case Type::number_set:
    case Type::binary_set:
      out.put_string(R"({")", type_name(value.type()), R"(":[)");
      put_members(out, value.type(), value.set_members());
      out.put("]}");
      return;
    case Type::list:
      out.put(R"({"L":[)");
      put_elements(out, value.elements());
      out.put("]}");
      return;
    case Type::map:
      out.put(R"({"M":)");
      put_item(out, value.members());
      out.put('}');
      return;
  }
}

// Puts the value that begins at `at`; returns the place behind it. Strings and numbers, the most of all, are
// looked at once for both.
[[gnu::always_inline]] inline const char* put_and_pass(TextBuffer& out, const char* at) {
  if (*at != tag_string && *at != tag_number) {
    const ValueView value(at);
    put_other(out, value);
    return value.end();
  }
  const json::Literal before = *at == tag_string ? json::Literal(R"({"S":")") : json::Literal(R"({"N":")");
  ++at;
  const uint32_t length = read_varint(at);
  out.put_string(before, {at, length}, R"("})");
  return at + length;
}

void put_value(TextBuffer& out, ValueView value) {
  put_and_pass(out, value.encoded().data());
}

void put_item(TextBuffer& out, ItemView item) {
  if (item.empty()) {
    out.put("{}");
    return;
  }
  json::Literal before = R"({")";
  const char* at = item.encoded().data();
  const char* const end = at + item.encoded().size();
  while (at != end) {
    const uint32_t length = read_varint(at);
    out.put_string(before, {at, length}, R"(":)");
    at = put_and_pass(out, at + length);
    before = R"(,")";
  }
  out.put('}');
}

}  // namespace

void append_json(std::string& out, ValueView value) {
  TextBuffer buffer(out);
  put_value(buffer, value);
}

void append_json(std::string& out, ItemView item) {
  TextBuffer buffer(out);
  put_item(buffer, item);
}

}  // namespace waybill::item
