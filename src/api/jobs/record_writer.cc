// The half of record_json.h that writes.
#include <algorithm>

#include "api/jobs/record_json.h"
#include "base/bytes.h"
#include "base/text_buffer.h"

namespace waybill::api::jobs {
namespace {

using item::Type;
using json::TextBuffer;

void put_value(TextBuffer& out, item::ValueView value);

void put_binary(TextBuffer& out, std::string_view bytes) {
  out.put('"');
  append_base64(out.flush(), bytes);
  out.put('"');
}

void put_members(TextBuffer& out, Type type, item::BytesCursor cursor) {
  out.put('[');
  for (bool first = true; cursor.next(); first = false) {
    if (!first) {
      out.put(',');
    }
    if (type == Type::number_set) {
      out.put(cursor.bytes());
    } else if (type == Type::binary_set) {
      put_binary(out, cursor.bytes());
    } else {
      out.put_string(cursor.bytes());
    }
  }
  out.put(']');
}

void put_elements(TextBuffer& out, item::ValueCursor cursor) {
  out.put('[');
  for (bool first = true; cursor.next(); first = false) {
    if (!first) {
      out.put(',');
    }
    put_value(out, cursor.value());
  }
  out.put(']');
}

template <typename Skip>
void put_item(TextBuffer& out, item::ItemView item, Skip skip) {
  out.put('{');
  bool first = true;
  for (item::AttributeCursor each(item); each.next();) {
    if (skip(each.name())) {
      continue;
    }
    if (!first) {
      out.put(',');
    }
    first = false;
    out.put_string("\"", each.name(), "\":");
    put_value(out, each.value());
  }
  out.put('}');
}

constexpr auto skip_none = [](std::string_view) { return false; };

void put_value(TextBuffer& out, item::ValueView value) {
  switch (value.type()) {
    case Type::null:
      out.put("null");
      return;
    case Type::boolean:
      out.put(value.boolean() ? std::string_view("true") : "false");
      return;
    case Type::string:
      out.put_string(value.bytes());
      return;
    case Type::number:
      out.put(value.bytes());  // its normal form is a number of JSON's
      return;
    case Type::binary:
      put_binary(out, value.bytes());
      return;
    case Type::string_set:
    case Type::number_set:
    case Type::binary_set:
      put_members(out, value.type(), value.set_members());
      return;
    case Type::list:
      put_elements(out, value.elements());
      return;
    case Type::map:
      put_item(out, value.members(), skip_none);
      return;
  }
}

}  // namespace

void append_plain_json(std::string& out, item::ValueView value) {
  TextBuffer buffer(out);
  put_value(buffer, value);
}

void append_plain_json(std::string& out, item::ItemView item) {
  TextBuffer buffer(out);
  put_item(buffer, item, skip_none);
}

void append_record(std::string& out, const rules::Deployed& contract, const rules::Kind& kind,
                   item::ItemView record) {
  TextBuffer buffer(out);
  put_item(buffer, record, [&](std::string_view name) {
    return std::ranges::find(contract.contract.table.key, name, &contract::Name::text) !=
               contract.contract.table.key.end() &&
           kind.record->key.contains(std::string(name)) && kind.record->find(std::string(name)) == nullptr &&
           std::ranges::find(kind.key_fields, name) == kind.key_fields.end();
  });
}

}  // namespace waybill::api::jobs
