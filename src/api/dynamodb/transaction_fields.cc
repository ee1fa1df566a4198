#include "api/dynamodb/transaction_fields.h"

#include <openssl/sha.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace waybill::api::dynamodb {
namespace {

constexpr std::string_view unexpected_field = "Unexpected field type";
constexpr std::string_view start_of_structure = "Start of structure or map found where not expected";

// Unlike elsewhere, the service does not name the class that it wanted.
std::optional<Fields> structure_of(const json::Value& value, Reading& reading) {
  if (value.is_object()) {
    return Fields(value, reading);
  }
  reading.fail(std::string(value.is_array() ? start_of_structure : unexpected_field));
  return std::nullopt;
}

// The fields of an element of TransactItems, and of the action in it. What else may stand there is no
// parameter.
constexpr std::string_view element_fields[] = {"ConditionCheck", "Put", "Delete", "Update"};
constexpr std::string_view action_fields[] = {"TableName",
                                              "Item",
                                              "Key",
                                              "ConditionExpression",
                                              "UpdateExpression",
                                              "ExpressionAttributeNames",
                                              "ExpressionAttributeValues",
                                              "ReturnValuesOnConditionCheckFailure"};

void append_canonical(std::string& out, const json::Value& value);

void append_canonical_object(std::string& out, const json::Value& object) {
  std::vector<std::pair<std::string_view, json::Value>> members;
  for (json::Members cursor(object); cursor.next();) {
    members.emplace_back(cursor.key(), cursor.value());
  }
  std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  out.push_back('{');
  for (const auto& [name, value] : members) {
    json::append_string(out, name);
    append_canonical(out, value);
  }
  out.push_back('}');
}

// Nesting is bounded by the parser of the document.
void append_canonical(std::string& out, const json::Value& value) {
  switch (value.type()) {
    case json::Type::null:
      out.push_back('n');
      return;
    case json::Type::boolean:
      out.push_back(value.boolean() ? 't' : 'f');
      return;
    case json::Type::number:
      json::append_double(out, value.number());
      return;
    case json::Type::string:
      json::append_string(out, value.string());
      return;
    case json::Type::array:
      out.push_back('[');
      for (json::Elements elements(value); elements.next();) {
        append_canonical(out, elements.value());
      }
      out.push_back(']');
      return;
    case json::Type::object:
      append_canonical_object(out, value);
      return;
  }
}

void append_action(std::string& out, const json::Value& action) {
  for (const auto field : action_fields) {
    if (const auto value = action.find(field); value && !value->is_null()) {
      json::append_string(out, field);
      append_canonical(out, *value);
    }
  }
}

}  // namespace

TransactItems read_transact_items(const Fields& request) {
  TransactItems items;
  const auto list = request.list("TransactItems");
  if (!list) {
    return items;
  }
  items.given = true;
  items.count = list->size();
  for (json::Elements elements(*list); elements.next() && items.taken.size() <= transaction_actions_max;) {
    if (auto fields = structure_of(elements.value(), request.reading())) {
      items.taken.push_back(*fields);
    }
  }
  return items;
}

void TransactItems::check(Constraints& constraints) const {
  constraints.not_null("transactItems", given);
  if (given && count == 0) {
    constraints.violated("transactItems", "[]", length_at_least(1));
  }
  if (count > transaction_actions_max) {
    constraints.violated("transactItems", "[" + std::to_string(count) + " actions]",
                         length_at_most(transaction_actions_max));
  }
}

std::optional<Fields> read_action(const Fields& element, std::string_view name) {
  const auto value = element.any(name);
  return value ? structure_of(*value, element.reading()) : std::nullopt;
}

Status check_transaction_bytes(uint64_t bytes) {
  if (bytes <= transaction_bytes_max) {
    return {};
  }
  return invalid(
      "Collection size of items exceeded, which can also be caused by the aggregate size of the items in the "
      "transaction exceeding the 4MB limit");
}

std::string fingerprint_of(const std::vector<Fields>& elements) {
  std::string canonical;
  for (const auto& element : elements) {
    for (const auto field : element_fields) {
      if (const auto action = element.any(field)) {
        json::append_string(canonical, field);
        append_action(canonical, *action);
      }
    }
  }
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(canonical.data()), canonical.size(), digest);
  return std::string(reinterpret_cast<const char*>(digest), sizeof(digest));
}

}  // namespace waybill::api::dynamodb
