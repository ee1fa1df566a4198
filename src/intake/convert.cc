#include "intake/convert.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "intake/array_text.h"
#include "intake/json_value.h"
#include "intake/timestamp.h"
#include "item/number.h"
#include "item/value.h"

namespace waybill::intake {
namespace {

struct KnownType {
  uint32_t oid;
  uint32_t array_oid;
  Kind kind;
};

// OIDs of PostgreSQL's own types never change.
constexpr std::array<KnownType, 16> known_types = {{{16, 1000, Kind::boolean},
                                                    {17, 1001, Kind::binary},
                                                    {20, 1016, Kind::integer},
                                                    {21, 1005, Kind::integer},
                                                    {23, 1007, Kind::integer},
                                                    {26, 1028, Kind::integer},
                                                    {25, 1009, Kind::text},
                                                    {114, 199, Kind::json},
                                                    {700, 1021, Kind::number},
                                                    {701, 1022, Kind::number},
                                                    {1043, 1015, Kind::text},
                                                    {1114, 1115, Kind::timestamp},
                                                    {1184, 1185, Kind::timestamp},
                                                    {1700, 1231, Kind::number},
                                                    {2950, 2951, Kind::uuid},
                                                    {3802, 3807, Kind::json}}};

Kind kind_of(uint32_t oid) {
  const auto known = std::ranges::find(known_types, oid, &KnownType::oid);
  if (known != known_types.end()) {
    return known->kind;
  }
  return std::ranges::find(known_types, oid, &KnownType::array_oid) == known_types.end() ? Kind::text
                                                                                         : Kind::list;
}

Kind element_of(uint32_t oid) {
  const auto known = std::ranges::find(known_types, oid, &KnownType::array_oid);
  return known == known_types.end() ? Kind::text : known->kind;
}

Result<std::string> normal_number(std::string_view text, Kind kind) {
  const auto number = item::Decimal::parse(text);
  std::string normal;
  if (number) {
    number->append_text(normal);
  }
  if (!number || (kind == Kind::integer && normal.find('.') != std::string::npos)) {
    return invalid("\"" + std::string(text) + "\" is no " + (kind == Kind::integer ? "whole " : "") +
                   "number that an item can have");
  }
  return normal;
}

// bytea as PostgreSQL prints it: "\x" and two digits a byte.
Result<std::string> bytes_of(std::string_view text) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  if (!text.starts_with("\\x") || text.size() % 2 != 0) {
    return std::string(text);  // a text that is to be kept as bytes
  }
  std::string bytes;
  for (std::size_t at = 2; at < text.size(); at += 2) {
    const int high = digit(text[at]);
    const int low = digit(text[at + 1]);
    if (high < 0 || low < 0) {
      return std::string(text);
    }
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

Result<bool> truth_of(std::string_view text) {
  if (text == "t" || text == "true" || text == "1") {
    return true;
  }
  if (text == "f" || text == "false" || text == "0") {
    return false;
  }
  return invalid("\"" + std::string(text.substr(0, 40)) + "\" is no bool");
}

// The bytes of a string, number or binary.
struct Scalar {
  item::Type type = item::Type::string;
  std::string bytes;
};

Result<Scalar> moment_of(const Conversion& conversion, Kind kind, std::string_view text) {
  WAYBILL_TRY_ASSIGN(const int64_t us, parse_timestamp(text));
  if (kind == Kind::timestamp) {
    return Scalar{item::Type::string, iso_text(us, conversion.precision)};
  }
  return Scalar{item::Type::number, std::to_string(kind == Kind::epoch_ms ? ms_of(us) : seconds_of(us))};
}

Result<Scalar> scalar_of(const Conversion& conversion, Kind kind, std::string_view text) {
  switch (kind) {
    case Kind::integer:
    case Kind::number: {
      WAYBILL_TRY_ASSIGN(auto normal, normal_number(text, kind));
      return Scalar{item::Type::number, std::move(normal)};
    }
    case Kind::timestamp:
    case Kind::epoch_ms:
    case Kind::epoch_s:
      return moment_of(conversion, kind, text);
    case Kind::binary: {
      WAYBILL_TRY_ASSIGN(auto bytes, bytes_of(text));
      return Scalar{item::Type::binary, std::move(bytes)};
    }
    default:
      break;
  }
  if (!is_utf8(text)) {
    return invalid("it is no UTF-8: the database has no encoding, or another one than it says");
  }
  return Scalar{item::Type::string, std::string(text)};
}

Status append_one(std::string& out, const Conversion& conversion, Kind kind, std::string_view text) {
  if (kind == Kind::json) {
    return append_json_value(out, text);
  }
  if (kind == Kind::boolean) {
    WAYBILL_TRY_ASSIGN(const bool truth, truth_of(text));
    item::append_boolean(out, truth);
    return {};
  }
  WAYBILL_TRY_ASSIGN(const auto scalar, scalar_of(conversion, kind, text));
  item::append_scalar(out, scalar.type, scalar.bytes);
  return {};
}

Status append_list(std::string& out, const Conversion& conversion, const ArrayNode& array) {
  const auto mark = item::open_container(out, item::Type::list);
  for (const auto& node : array.nodes) {
    if (node.is_array) {
      WAYBILL_TRY(append_list(out, conversion, node));
    } else if (node.is_null) {
      item::append_null(out);
    } else {
      WAYBILL_TRY(append_one(out, conversion, conversion.element, node.text));
    }
  }
  item::close_container(out, mark);
  return {};
}

item::Type set_type(item::Type member) {
  return member == item::Type::number   ? item::Type::number_set
         : member == item::Type::binary ? item::Type::binary_set
                                        : item::Type::string_set;
}

Result<bool> append_set_of(std::string& out, const Conversion& conversion, const ArrayNode& array) {
  std::vector<std::string> members;
  item::Type type = item::Type::string;
  for (const auto& node : array.nodes) {
    if (node.is_array || node.is_null) {
      return invalid("a set can hold neither NULL nor arrays; type: list can");
    }
    WAYBILL_TRY_ASSIGN(auto scalar, scalar_of(conversion, conversion.element, node.text));
    type = scalar.type;
    members.push_back(std::move(scalar.bytes));
  }
  if (members.empty()) {
    return false;
  }
  std::ranges::sort(members);
  const auto repeated = std::ranges::unique(members);
  members.erase(repeated.begin(), repeated.end());
  item::append_set(out, set_type(type), {members.begin(), members.end()});
  return true;
}

// An array of PostgreSQL may begin with its bounds, "[0:2]={…}".
bool is_json_array(std::string_view text) {
  const std::size_t behind_bounds = text.find_first_not_of("[]0123456789:-+");
  return text.starts_with('[') && (behind_bounds == std::string_view::npos || text[behind_bounds] != '=');
}

// Of an array, or of a JSON array of texts and numbers.
Result<ArrayNode> array_of(std::string_view text) {
  if (!is_json_array(text)) {
    return parse_array(text);
  }
  std::string encoded;
  WAYBILL_TRY(append_json_value(encoded, text));
  ArrayNode array;
  array.is_array = true;
  for (auto elements = item::ValueView(encoded.data()).elements(); elements.next();) {
    const auto type = elements.value().type();
    if (type != item::Type::string && type != item::Type::number) {
      return invalid("a list or set of JSON can hold texts and numbers; type: json holds all");
    }
    ArrayNode node;
    node.text = elements.value().bytes();
    array.nodes.push_back(std::move(node));
  }
  return array;
}

}  // namespace

Conversion choose_conversion(const Attribute& attribute, uint32_t column_type) {
  Conversion conversion;
  conversion.kind = attribute.kind == Kind::automatic ? kind_of(column_type) : attribute.kind;
  conversion.element = attribute.element == Kind::automatic ? element_of(column_type) : attribute.element;
  conversion.precision = attribute.precision;
  return conversion;
}

Result<bool> append_converted(std::string& out, const Conversion& conversion, std::string_view text) {
  if (conversion.kind == Kind::list || conversion.kind == Kind::set) {
    WAYBILL_TRY_ASSIGN(const auto array, array_of(text));
    if (conversion.kind == Kind::set) {
      return append_set_of(out, conversion, array);
    }
    WAYBILL_TRY(append_list(out, conversion, array));
    return true;
  }
  if (conversion.kind == Kind::json && text == "null") {
    return false;
  }
  WAYBILL_TRY(append_one(out, conversion, conversion.kind, text));
  return true;
}

}  // namespace waybill::intake
