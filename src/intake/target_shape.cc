#include "intake/target_shape.h"

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "contract/reader.h"
#include "http/uri.h"

namespace waybill::intake {
namespace {

std::string text_in(const json::Value& object, std::string_view name) {
  const auto found = object.is_object() ? object.find(name) : std::nullopt;
  return found && found->is_string() ? std::string(found->string()) : std::string();
}

std::string named(std::string_view name, std::string_view value) {
  std::string text;
  json::Writer(text).begin_object().key(name).string(value).end_object();
  return text;
}

item::Type type_of(std::string_view letter) {
  return letter == "N" ? item::Type::number : letter == "B" ? item::Type::binary : item::Type::string;
}

Error not_understood() {
  return Error{ErrorKind::internal, "the server's answer is not what was expected: is it a Waybill?", {}};
}

// The key attributes of a table with their types, the partition key first.
Result<std::vector<KeyPart>> key_of_table(ServerClient& client, const std::string& table) {
  auto text = client.call("DescribeTable", named("TableName", table));
  if (!text) {
    const bool is_missing = text.error().kind == ErrorKind::not_found;
    return is_missing ? Error{ErrorKind::not_found,
                              "there is no table \"" + table + "\" on the server: make it first",
                              {}}
                      : text.error();
  }
  json::Parser parser;
  WAYBILL_TRY_ASSIGN(const auto answer, parser.parse_copy(*text));
  const auto description = answer.is_object() ? answer.find("Table") : std::nullopt;
  const auto schema = description ? description->find("KeySchema") : std::nullopt;
  const auto types = description ? description->find("AttributeDefinitions") : std::nullopt;
  if (!schema || !types || !schema->is_array() || !types->is_array()) {
    return not_understood();
  }
  std::vector<KeyPart> key;
  for (json::Elements parts(*schema); parts.next();) {
    KeyPart part;
    part.attribute = text_in(parts.value(), "AttributeName");
    for (json::Elements each(*types); each.next();) {
      if (text_in(each.value(), "AttributeName") == part.attribute) {
        part.type = type_of(text_in(each.value(), "AttributeType"));
      }
    }
    key.push_back(std::move(part));
  }
  return key;
}

Result<std::string> ttl_of_table(ServerClient& client, const std::string& table) {
  WAYBILL_TRY_ASSIGN(const auto text, client.call("DescribeTimeToLive", named("TableName", table)));
  json::Parser parser;
  WAYBILL_TRY_ASSIGN(const auto answer, parser.parse_copy(text));
  const auto description = answer.is_object() ? answer.find("TimeToLiveDescription") : std::nullopt;
  const bool is_on = description && text_in(*description, "TimeToLiveStatus") == "ENABLED";
  return is_on ? text_in(*description, "AttributeName") : std::string();
}

Result<std::string> table_of_contract(ServerClient& client, const std::string& contract) {
  WAYBILL_TRY_ASSIGN(const auto text, client.get("/v1/contracts"));
  json::Parser parser;
  WAYBILL_TRY_ASSIGN(const auto answer, parser.parse_copy(text));
  const auto contracts = answer.is_object() ? answer.find("contracts") : std::nullopt;
  if (!contracts || !contracts->is_array()) {
    return not_understood();
  }
  for (json::Elements each(*contracts); each.next();) {
    if (text_in(each.value(), "name") == contract) {
      return text_in(each.value(), "table");
    }
  }
  return Error{ErrorKind::not_found,
               "the contract \"" + contract +
                   "\" is not in force on the server: put it in force with waybill contract apply",
               {}};
}

Result<contract::Record> record_of(ServerClient& client, const Target& target) {
  std::string path = "/v1/contracts/";
  http::append_uri_encoded(path, target.contract, false);
  WAYBILL_TRY_ASSIGN(const auto text, client.get(path));
  contract::Problems problems;
  const auto contract = contract::read_contract(text, problems);
  const auto* const record = contract ? contract->find(target.record) : nullptr;
  if (record == nullptr) {
    return Error{ErrorKind::not_found,
                 "the contract \"" + target.contract + "\" has no record \"" + target.record + "\"",
                 {}};
  }
  return *record;
}

Status add_texts(Shape& shape, const Target& target) {
  for (auto& part : shape.key) {
    if (shape.record) {
      const auto found = shape.record->key.find(part.attribute);
      if (found != shape.record->key.end()) {
        part.text = found->second;
      }
      continue;
    }
    const auto found =
        std::ranges::find(target.key, part.attribute, [](const auto& one) { return one.first; });
    if (found == target.key.end()) {
      return invalid("the table \"" + shape.table + "\" has the key attribute \"" + part.attribute +
                     "\", of which the mapping's key says nothing");
    }
    // "{id}" alone is the attribute's own value, whatever its type.
    const bool is_itself = found->second.parts().size() == 1 && found->second.parts().front().is_field &&
                           found->second.parts().front().text == part.attribute;
    if (!is_itself) {
      part.text = found->second;
    }
  }
  if (!shape.record && target.key.size() != shape.key.size()) {
    return invalid("the mapping's key has more attributes than that of the table \"" + shape.table + "\"");
  }
  return {};
}

}  // namespace

Result<Shape> find_shape(ServerClient& client, const Target& target) {
  Shape shape;
  shape.table = target.table;
  if (!target.contract.empty()) {
    WAYBILL_TRY_ASSIGN(shape.table, table_of_contract(client, target.contract));
    WAYBILL_TRY_ASSIGN(shape.record, record_of(client, target));
  }
  WAYBILL_TRY_ASSIGN(shape.key, key_of_table(client, shape.table));
  WAYBILL_TRY_ASSIGN(shape.ttl, ttl_of_table(client, shape.table));
  WAYBILL_TRY(add_texts(shape, target));
  return shape;
}

}  // namespace waybill::intake
