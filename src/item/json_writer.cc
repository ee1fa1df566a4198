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

void put_set(TextBuffer& out, ValueView value) {
  bool first = true;
  out.put('[');
  for (auto cursor = value.set_members(); cursor.next(); first = false) {
    if (!first) {
      out.put(',');
    }
    if (value.type() == Type::binary_set) {
      put_binary(out, cursor.bytes());
    } else {
      out.put_string(cursor.bytes());
    }
  }
  out.put(']');
}

void put_list(TextBuffer& out, ValueView value) {
  bool first = true;
  out.put('[');
  for (auto cursor = value.elements(); cursor.next(); first = false) {
    if (!first) {
      out.put(',');
    }
    put_value(out, cursor.value());
  }
  out.put(']');
}

void put_value(TextBuffer& out, ValueView value) {
  switch (value.type()) {
    case Type::null:
      out.put(R"({"NULL":true})");
      return;
    case Type::boolean:
      out.put(value.boolean() ? std::string_view(R"({"BOOL":true})") : R"({"BOOL":false})");
      return;
    case Type::string:
      out.put(R"({"S":)");
      out.put_string(value.bytes());
      break;
    case Type::number:
      out.put(R"({"N":")");
      out.put(value.bytes());
      out.put('"');
      break;
    case Type::binary:
      out.put(R"({"B":)");
      put_binary(out, value.bytes());
      break;
    case Type::string_set:
    case Type::number_set:
    case Type::binary_set:
      out.put(R"({")");
      out.put(type_name(value.type()));
      out.put(R"(":)");
      put_set(out, value);
      break;
    case Type::list:
      out.put(R"({"L":)");
      put_list(out, value);
      break;
    case Type::map:
      out.put(R"({"M":)");
      put_item(out, value.members());
      break;
  }
  out.put('}');
}

void put_item(TextBuffer& out, ItemView item) {
  bool first = true;
  out.put('{');
  for (AttributeCursor cursor(item); cursor.next(); first = false) {
    if (!first) {
      out.put(',');
    }
    out.put_string(cursor.name());
    out.put(':');
    put_value(out, cursor.value());
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
