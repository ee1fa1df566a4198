#include "api/jobs/schema.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace waybill::api::jobs {
namespace {

using contract::Field;
using contract::FieldType;
using contract::Formula;

std::optional<std::string> number_of(const std::optional<Formula>& formula) {
  if (!formula || formula->root().kind != Formula::Node::Kind::number) {
    return {};
  }
  return formula->root().text;
}

// A default that is a value as it stands, as JSON.
std::optional<std::string> literal_of(const Formula& formula) {
  const auto& node = formula.root();
  switch (node.kind) {
    case Formula::Node::Kind::number:
    case Formula::Node::Kind::boolean:
      return node.text;
    case Formula::Node::Kind::empty_list:
      return "[]";
    case Formula::Node::Kind::empty_map:
      return "{}";
    case Formula::Node::Kind::text:
      if (node.made.is_literal()) {
        std::string text;
        json::append_string(text, node.made.prefix());
        return text;
      }
      return {};
    default:
      return {};
  }
}

void write_field(json::Writer& writer, const Field& field);

void write_text(json::Writer& writer, const Field& field) {
  writer.key("type").string("string");
  if (!field.one_of.empty()) {
    writer.key("enum").begin_array();
    for (const auto& word : field.one_of) {
      writer.string(word);
    }
    writer.end_array();
  }
  if (field.length_max) {
    writer.key("maxLength").integer(*field.length_max);
  }
}

void write_number(json::Writer& writer, const Field& field) {
  writer.key("type").string(field.type == FieldType::number ? "number" : "integer");
  if (const auto least = number_of(field.minimum)) {
    writer.key("minimum").raw(*least);
  }
  if (const auto most = number_of(field.maximum)) {
    writer.key("maximum").raw(*most);
  }
}

void write_names(json::Writer& writer, std::string_view key, const std::vector<std::string>& names) {
  if (names.empty()) {
    return;
  }
  writer.key(key).begin_array();
  for (const auto& name : names) {
    writer.string(name);
  }
  writer.end_array();
}

void write_map(json::Writer& writer, const Field& field) {
  writer.key("type").string("object");
  if (field.fields.empty()) {
    return;
  }
  std::vector<std::string> required;
  writer.key("properties").begin_object();
  for (const auto& inner : field.fields) {
    writer.key(inner.name);
    write_field(writer, inner);
    if (!inner.optional && !inner.initial && !inner.computed && !inner.set) {
      required.push_back(inner.name);
    }
  }
  writer.end_object();
  write_names(writer, "required", required);
}

void write_array(json::Writer& writer, const Field& field) {
  writer.key("type").string("array");
  if (field.type == FieldType::set) {
    writer.key("uniqueItems").boolean(true);
  }
  if (field.element) {
    writer.key("items");
    write_field(writer, *field.element);
  }
}

void write_type(json::Writer& writer, const Field& field) {
  switch (field.type) {
    case FieldType::string:
      write_text(writer, field);
      return;
    case FieldType::timestamp:
      writer.key("type").string("string").key("format").string("date-time");
      return;
    case FieldType::integer:
    case FieldType::number:
    case FieldType::epoch_ms:
    case FieldType::epoch_s:
      write_number(writer, field);
      return;
    case FieldType::boolean:
      writer.key("type").string("boolean");
      return;
    case FieldType::binary:
      writer.key("type").string("string").key("contentEncoding").string("base64");
      return;
    case FieldType::map:
      write_map(writer, field);
      return;
    case FieldType::list:
    case FieldType::set:
      write_array(writer, field);
      return;
    case FieldType::any:
      return;
  }
}

void write_field(json::Writer& writer, const Field& field) {
  writer.begin_object();
  write_type(writer, field);
  if (field.initial) {
    if (const auto value = literal_of(*field.initial)) {
      writer.key("default").raw(*value);
    }
  }
  if (field.computed || field.set) {
    writer.key("readOnly").boolean(true);
  }
  writer.end_object();
}

// The fields of a record, with those that other parts of the contract name.
class RecordFields {
 public:
  RecordFields(const rules::Kind& kind) : record_(*kind.record) {
    if (record_.status) {
      add_status();
    }
    for (const auto& name : kind.key_fields) {
      add(name, FieldType::string);
    }
    if (record_.version) {
      add(record_.version->text, FieldType::integer);
    }
    if (record_.id) {
      add(record_.id->field.text, FieldType::string);
    }
    for (const auto& field : record_.fields) {
      all_.push_back(&field);
    }
  }

  const std::vector<const Field*>& all() const { return all_; }

  // Whether whoever creates a record has to say it.
  bool is_asked_for(const Field& field) const {
    const auto is = [&](const auto& name) { return name && name->text == field.name; };
    const bool is_id = record_.id && record_.id->field.text == field.name;
    const bool is_status = record_.status && record_.status->field.text == field.name;
    const bool is_key = record_.idempotency && is(record_.idempotency->field);  // the header has it as well
    return !field.optional && !field.initial && !field.computed && !field.set && !is_id && !is_status &&
           !is_key && !is(record_.version);
  }

 private:
  void add(const std::string& name, FieldType type) {
    const bool is_there = record_.find(name) != nullptr ||
                          std::ranges::any_of(all_, [&](const Field* field) { return field->name == name; });
    if (!is_there) {
      auto& field = *added_.emplace_back(std::make_unique<Field>());
      field.name = name;
      field.type = type;
      all_.push_back(&field);
    }
  }

  void add_status() {
    add(record_.status->field.text, FieldType::string);
    if (added_.empty()) {
      return;
    }
    for (const auto& state : record_.status->states) {
      added_.front()->one_of.push_back(state.name.text);
    }
  }

  const contract::Record& record_;
  std::vector<std::unique_ptr<Field>> added_;
  std::vector<const Field*> all_;
};

std::vector<std::string> required_of(const RecordFields& fields, SchemaOf what) {
  std::vector<std::string> names;
  for (const Field* const field : fields.all()) {
    if ((what == SchemaOf::record && !field->optional) ||
        (what == SchemaOf::created && fields.is_asked_for(*field))) {
      names.push_back(field->name);
    }
  }
  return names;
}

}  // namespace

void write_schema(json::Writer& writer, const rules::Deployed& contract, const rules::Kind& kind,
                  SchemaOf what) {
  const RecordFields fields(kind);
  writer.begin_object().key("type").string("object");
  if (what == SchemaOf::record) {
    writer.key("description")
        .string("A record \"" + kind.record->name + "\" of the contract " + contract.contract.name);
  }
  writer.key("properties").begin_object();
  for (const Field* const field : fields.all()) {
    writer.key(field->name);
    if (what == SchemaOf::patch) {
      writer.begin_object().key("anyOf").begin_array();
    }
    write_field(writer, *field);
    if (what == SchemaOf::patch) {
      writer.begin_object().key("type").string("null").end_object().end_array().end_object();
    }
  }
  writer.end_object();
  write_names(writer, "required", required_of(fields, what));
  writer.end_object();
}

}  // namespace waybill::api::jobs
