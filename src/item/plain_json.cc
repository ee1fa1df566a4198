#include "item/plain_json.h"

#include "base/bytes.h"
#include "base/json.h"

namespace waybill::item {

namespace {

void append_binary(std::string& out, std::string_view bytes) {
  out += '"';
  append_base64(out, bytes);
  out += '"';
}

void append_members(std::string& out, ValueView set) {
  out += '[';
  bool first = true;
  for (auto members = set.set_members(); members.next(); first = false) {
    out += first ? "" : ",";
    if (set.type() == Type::number_set) {
      out += members.bytes();
    } else if (set.type() == Type::binary_set) {
      append_binary(out, members.bytes());
    } else {
      json::append_string(out, members.bytes());
    }
  }
  out += ']';
}

void append_elements(std::string& out, ValueView list) {
  out += '[';
  bool first = true;
  for (auto elements = list.elements(); elements.next(); first = false) {
    out += first ? "" : ",";
    append_plain_json(out, elements.value());
  }
  out += ']';
}

}  // namespace

void append_plain_json(std::string& out, ValueView value) {
  switch (value.type()) {
    case Type::null:
      out += "null";
      break;
    case Type::boolean:
      out += value.boolean() ? "true" : "false";
      break;
    case Type::string:
      json::append_string(out, value.bytes());
      break;
    case Type::number:
      out += value.bytes();
      break;
    case Type::binary:
      append_binary(out, value.bytes());
      break;
    case Type::string_set:
    case Type::number_set:
    case Type::binary_set:
      append_members(out, value);
      break;
    case Type::list:
      append_elements(out, value);
      break;
    case Type::map:
      append_plain_json(out, value.members());
      break;
  }
}

void append_plain_json(std::string& out, ItemView item) {
  out += '{';
  bool first = true;
  for (AttributeCursor cursor(item); cursor.next(); first = false) {
    out += first ? "" : ",";
    json::append_string(out, cursor.name());
    out += ':';
    append_plain_json(out, cursor.value());
  }
  out += '}';
}

std::string to_plain_json(ItemView item) {
  std::string text;
  append_plain_json(text, item);
  return text;
}

}  // namespace waybill::item
