#include "item/json.h"

namespace waybill::item {

namespace {

void append_binary_json(std::string& out, std::string_view bytes) {
  out.push_back('"');
  append_base64(out, bytes);
  out.push_back('"');
}

void append_set_json(std::string& out, ValueView value) {
  bool first = true;
  out.push_back('[');
  for (auto cursor = value.set_members(); cursor.next(); first = false) {
    if (!first) {
      out.push_back(',');
    }
    if (value.type() == Type::binary_set) {
      append_binary_json(out, cursor.bytes());
    } else {
      json::append_string(out, cursor.bytes());
    }
  }
  out.push_back(']');
}

void append_list_json(std::string& out, ValueView value) {
  bool first = true;
  out.push_back('[');
  for (auto cursor = value.elements(); cursor.next(); first = false) {
    if (!first) {
      out.push_back(',');
    }
    append_json(out, cursor.value());
  }
  out.push_back(']');
}

}  // namespace

void append_json(std::string& out, ValueView value) {
  switch (value.type()) {
    case Type::null:
      out.append(R"({"NULL":true})");
      return;
    case Type::boolean:
      out.append(value.boolean() ? R"({"BOOL":true})" : R"({"BOOL":false})");
      return;
    case Type::string:
      out.append(R"({"S":)");
      json::append_string(out, value.bytes());
      break;
    case Type::number:
      out.append(R"({"N":")").append(value.bytes()).push_back('"');
      break;
    case Type::binary:
      out.append(R"({"B":)");
      append_binary_json(out, value.bytes());
      break;
    case Type::string_set:
    case Type::number_set:
    case Type::binary_set:
      out.append(R"({")").append(type_name(value.type())).append(R"(":)");
      append_set_json(out, value);
      break;
    case Type::list:
      out.append(R"({"L":)");
      append_list_json(out, value);
      break;
    case Type::map:
      out.append(R"({"M":)");
      append_json(out, value.members());
      break;
  }
  out.push_back('}');
}

void append_json(std::string& out, ItemView item) {
  bool first = true;
  out.push_back('{');
  for (AttributeCursor cursor(item); cursor.next(); first = false) {
    if (!first) {
      out.push_back(',');
    }
    json::append_string(out, cursor.name());
    out.push_back(':');
    append_json(out, cursor.value());
  }
  out.push_back('}');
}

}  // namespace waybill::item
