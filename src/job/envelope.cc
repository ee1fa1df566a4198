#include "job/envelope.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/json.h"

namespace waybill::job {

namespace {

using contract::FieldType;
using contract::Formula;
using contract::Record;

// By this attribute a dead letter tells that its record was given up with it.
constexpr std::string_view mark = "waybill-given-up";

Error no_envelope(const Subject& subject) {
  return invalid("The message is none about a " + subject.record().name + " of contract " +
                 subject.contract->contract.name);
}

// The field that a member of the envelope holds as it stands.
std::optional<std::string> plain_field(const Formula& formula) {
  const auto& root = formula.root();
  if (root.kind == Formula::Node::Kind::field) {
    return root.text;
  }
  const auto& parts = root.made.parts();
  const bool is_plain =
      root.kind == Formula::Node::Kind::text && parts.size() == 1 && parts[0].is_field && parts[0].width == 0;
  return is_plain ? std::optional(parts[0].text) : std::nullopt;
}

// The name under which the envelope has a field.
std::optional<std::string> member_of(const Record& record, const std::string& field) {
  if (record.work->message.empty()) {
    return field;
  }
  for (const auto& [name, formula] : record.work->message) {
    if (plain_field(formula) == field) {
      return name;
    }
  }
  return {};
}

bool is_number(const Record& record, const std::string& name) {
  const auto* const field = record.find(name);
  return field != nullptr && (field->type == FieldType::integer || field->type == FieldType::number ||
                              field->type == FieldType::epoch_ms || field->type == FieldType::epoch_s);
}

std::optional<std::string> text_of(const json::Value& value) {
  if (value.is_string()) {
    return std::string(value.string());
  }
  const auto whole = value.type() == json::Type::number ? value.integer() : std::nullopt;
  return whole ? std::optional(std::to_string(*whole)) : std::nullopt;
}

}  // namespace

Result<item::Item> key_of_message(const Subject& subject, std::string_view body) {
  thread_local json::Parser parser;
  const auto root = parser.parse_copy(body);
  if (!root || !root->is_object()) {
    return no_envelope(subject);
  }
  item::Item fields;
  for (const auto& name : subject.kind->key_fields) {
    const auto member = member_of(subject.record(), name);
    const auto value = member ? root->find(*member) : std::nullopt;
    const auto text = value ? text_of(*value) : std::nullopt;
    if (!text) {
      return no_envelope(subject);
    }
    item::append_name(fields.encoded, name);
    item::append_scalar(fields.encoded,
                        is_number(subject.record(), name) ? item::Type::number : item::Type::string, *text);
  }
  return rules::key_of_fields(*subject.contract, *subject.kind, fields.view());
}

queue::Message dead_letter_of(const Subject& subject, queue::Message message, int64_t receives) {
  message.dead_letter_source = subject.kind->queue;
  message.earlier_receives += static_cast<uint32_t>(receives);
  if (!is_seen_to(message)) {
    message.attributes.push_back({std::string(mark), "String", "true"});
    std::ranges::sort(message.attributes, {}, &queue::MessageAttribute::name);
  }
  return message;
}

bool is_seen_to(const queue::Message& message) {
  return std::ranges::any_of(message.attributes,
                             [](const auto& attribute) { return attribute.name == mark; });
}

}  // namespace waybill::job
