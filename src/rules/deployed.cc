#include "rules/deployed.h"

#include <algorithm>
#include <map>
#include <utility>

#include "item/number.h"

namespace waybill::rules {

namespace {

using contract::FieldType;
using contract::Record;

bool is_number(FieldType type) {
  return type == FieldType::integer || type == FieldType::number || type == FieldType::epoch_ms ||
         type == FieldType::epoch_s;
}

bool field_is_number(const Record& record, const std::string& name) {
  const contract::Field* const field = record.find(name);
  return field != nullptr && is_number(field->type);
}

std::vector<std::string> fields_of_key(const contract::Contract& contract, const Record& record) {
  std::vector<std::string> fields;
  for (const auto& attribute : contract.table.key) {
    const auto found = record.key.find(attribute.text);
    if (found == record.key.end()) {
      fields.push_back(attribute.text);
      continue;
    }
    for (auto& name : found->second.fields()) {
      const bool is_new = std::ranges::find(fields, name) == fields.end();
      if (is_new && !parameter(contract, name)) {
        fields.push_back(std::move(name));
      }
    }
  }
  return fields;
}

Result<std::string> filled_in(const contract::Contract& contract, const contract::TextTemplate& text) {
  auto made = text.render([&](const std::string& name) { return parameter(contract, name); });
  if (!made) {
    return invalid("contract " + contract.name + ": a name has a parameter without a value");
  }
  return *std::move(made);
}

void append_escaped(std::string& text, std::string_view value) {
  for (const char c : value) {
    switch (c) {
      case '%':
        text += "%25";
        break;
      case ',':
        text += "%2C";
        break;
      case '/':
        text += "%2F";
        break;
      default:
        text += c;
    }
  }
}

std::string unescaped(std::string_view text) {
  std::string value;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view three = text.substr(at, 3);
    const char meant = three == "%25" ? '%' : three == "%2C" ? ',' : three == "%2F" ? '/' : '\0';
    value += meant != '\0' ? meant : text[at];
    at += meant != '\0' ? 2 : 0;
  }
  return value;
}

bool has_text(const std::optional<item::ValueView>& value) {
  return value && (value->type() == item::Type::string || value->type() == item::Type::number);
}

std::optional<std::string> text_of(const std::optional<item::ValueView>& value) {
  return has_text(value) ? std::optional(std::string(value->bytes())) : std::nullopt;
}

// False where a field of the key is missing.
bool append_id(std::string& text, const Kind& kind, item::ItemView item) {
  const std::size_t begin = text.size();
  for (const auto& name : kind.key_fields) {
    const auto value = item.find(name);
    if (!has_text(value)) {
      return false;
    }
    text += text.size() == begin ? "" : ",";
    append_escaped(text, value->bytes());
  }
  return true;
}

Status append_field(std::string& out, const Record& record, const std::string& name, std::string_view text) {
  item::append_name(out, name);
  if (!field_is_number(record, name)) {
    item::append_scalar(out, item::Type::string, text);
    return {};
  }
  WAYBILL_TRY_ASSIGN(const auto number, item::Decimal::parse(text));
  std::string normal;
  number.append_text(normal);
  item::append_scalar(out, item::Type::number, normal);
  return {};
}

}  // namespace

const Kind* Deployed::find(std::string_view record) const {
  const auto found =
      std::ranges::find_if(kinds, [&](const Kind& kind) { return kind.record->name == record; });
  return found == kinds.end() ? nullptr : &*found;
}

std::optional<std::string> parameter(const contract::Contract& contract, std::string_view name) {
  const auto found = std::ranges::find(contract.parameters, name, &contract::Parameter::name);
  return found == contract.parameters.end() ? std::nullopt : std::optional(found->value);
}

Result<DeployedPtr> deploy(contract::Contract contract, std::string text) {
  auto deployed = std::make_shared<Deployed>();
  deployed->contract = std::move(contract);
  deployed->text = std::move(text);
  const contract::Contract& in_force = deployed->contract;
  WAYBILL_TRY_ASSIGN(deployed->table, filled_in(in_force, in_force.table.name));
  for (const auto& record : in_force.records) {
    Kind kind;
    kind.record = &record;
    kind.key_fields = fields_of_key(in_force, record);
    if (record.work) {
      WAYBILL_TRY_ASSIGN(kind.queue, filled_in(in_force, record.work->queue.name));
      if (record.work->queue.dead_letters) {
        WAYBILL_TRY_ASSIGN(kind.dead_letters, filled_in(in_force, *record.work->queue.dead_letters));
      }
    }
    deployed->kinds.push_back(std::move(kind));
  }
  for (const auto& bucket : in_force.buckets) {
    WAYBILL_TRY_ASSIGN(auto name, filled_in(in_force, bucket.name));
    deployed->buckets.push_back({std::move(name), &bucket});
  }
  return DeployedPtr(std::move(deployed));
}

std::optional<std::string> id_of(const Kind& kind, item::ItemView item) {
  std::string id;
  return append_id(id, kind, item) ? std::optional(std::move(id)) : std::nullopt;
}

std::optional<std::string> path_of(const Deployed& deployed, const Kind& kind, item::ItemView item) {
  constexpr std::size_t id_bytes_mostly = 40;
  const std::string& contract = deployed.contract.name;
  const std::string& record = kind.record->name;
  std::string path;
  path.reserve(contract.size() + record.size() + id_bytes_mostly);
  path.append(contract).append("/").append(record).append("/");
  return append_id(path, kind, item) ? std::optional(std::move(path)) : std::nullopt;
}

Result<item::Item> key_of_id(const Deployed& deployed, const Kind& kind, std::string_view id) {
  item::Item fields;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < kind.key_fields.size(); ++i) {
    const bool is_last = i + 1 == kind.key_fields.size();
    const std::size_t end = is_last ? id.size() : id.find(',', begin);
    const std::string value = end == std::string_view::npos || begin > id.size()
                                  ? std::string()
                                  : unescaped(id.substr(begin, end - begin));
    if (value.empty() || (is_last && id.substr(begin).find(',') != std::string_view::npos)) {
      std::string names;
      for (const auto& name : kind.key_fields) {
        names += names.empty() ? name : "," + name;
      }
      return invalid("\"" + std::string(id) + "\" is no id of a " + kind.record->name + ": it is made of " +
                     names);
    }
    WAYBILL_TRY(append_field(fields.encoded, *kind.record, kind.key_fields[i], value));
    begin = end + 1;
  }
  return key_of_fields(deployed, kind, fields.view());
}

Result<item::Item> key_of_fields(const Deployed& deployed, const Kind& kind, item::ItemView fields) {
  item::Item made;
  for (const auto& name : kind.key_fields) {
    const auto value = fields.find(name);
    if (!has_text(value)) {
      return invalid(kind.record->name + "." + name + " is missing: the record's key is made of it");
    }
    item::append_attribute(made.encoded, name, *value);
  }
  for (const auto& [attribute, text] : kind.record->key) {
    const auto rendered = text.render([&](const std::string& name) {
      auto value = parameter(deployed.contract, name);
      return value ? value : text_of(fields.find(name));
    });
    if (!rendered) {
      return invalid(kind.record->name + ": its key " + attribute + " can't be made of its fields");
    }
    // A field of the key may be the key attribute itself.
    if (!made.view().find(attribute)) {
      item::append_name(made.encoded, attribute);
      item::append_scalar(made.encoded, item::Type::string, *rendered);
    }
  }
  return made;
}

bool has_key(const std::map<std::string, contract::TextTemplate>& key, item::ItemView item) {
  return std::ranges::all_of(key, [&](const auto& part) {
    const auto value = item.find(part.first);
    return value && value->type() == item::Type::string && value->bytes().starts_with(part.second.prefix()) &&
           part.second.match(value->bytes()).has_value();
  });
}

}  // namespace waybill::rules
