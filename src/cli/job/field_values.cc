#include "cli/job/field_values.h"

#include <algorithm>

#include "base/json.h"
#include "cli/job/json_parts.h"

namespace waybill::cli::job {
namespace {

bool is_text(const contract::Record* record, const std::string& name) {
  if (record == nullptr) {
    return false;
  }
  if (const auto* const field = record->find(name)) {
    return field->type == contract::FieldType::string || field->type == contract::FieldType::timestamp ||
           field->type == contract::FieldType::binary;
  }
  return (record->id && record->id->field.text == name) ||
         (record->status && record->status->field.text == name);
}

using Written = std::vector<std::pair<std::string, std::string>>;

void put(Written& members, const std::string& name, std::string value) {
  const auto found = std::ranges::find(members, name, &Written::value_type::first);
  if (found == members.end()) {
    members.emplace_back(name, std::move(value));
  } else {
    found->second = std::move(value);
  }
}

Result<Written> read_object(const std::string& text) {
  Written members;
  if (text.empty()) {
    return members;
  }
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos || text[begin] != '{' || !is_json(text)) {
    return invalid("the record must be a JSON object");
  }
  for (const auto& member : members_of(text)) {
    put(members, member.name, std::string(member.value));
  }
  return members;
}

}  // namespace

std::optional<std::pair<std::string, std::string>> split_field(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return {};
  }
  return std::pair(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
}

std::string json_value(const contract::Record* record, const std::string& field, const std::string& value) {
  if (!is_text(record, field) && is_json(value)) {
    return value;
  }
  std::string made;
  json::append_string(made, value);
  return made;
}

Result<std::string> record_body(const contract::Record* record, const std::string& json,
                                const std::vector<std::string>& fields) {
  WAYBILL_TRY_ASSIGN(auto members, read_object(json));
  for (const auto& field : fields) {
    const auto parts = split_field(field);
    if (!parts) {
      return invalid(field + ": write FIELD=VALUE");
    }
    put(members, parts->first, json_value(record, parts->first, parts->second));
  }
  std::string body;
  json::Writer writer(body);
  writer.begin_object();
  for (const auto& [name, value] : members) {
    writer.key(name).raw(value);
  }
  writer.end_object();
  return body;
}

}  // namespace waybill::cli::job
