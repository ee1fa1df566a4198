#include "migration/wanted.h"

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "item/json.h"
#include "item/number.h"
#include "migration/new_key.h"
#include "migration/spared.h"
#include "table/create_rules.h"

namespace waybill::migration {

namespace {

constexpr std::size_t name_bytes_max = 255;
constexpr std::size_t table_name_bytes_min = 3;

Status check_field_name(const std::string& name, const table::Table& table) {
  if (name.empty() || name.size() > name_bytes_max) {
    return invalid("the name of a field has 1 to 255 bytes");
  }
  if (table.key.has(name)) {
    return invalid(name + " is part of the key of table " + table.name +
                   ": a key changes with --key NEWTABLE");
  }
  return {};
}

bool names(const rules::Deployed& deployed, const std::string& field) {
  return std::ranges::any_of(deployed.kinds,
                             [&](const rules::Kind& kind) { return kind.record->find(field) != nullptr; });
}

bool refuses_others(const rules::Deployed& deployed) {
  return std::ranges::any_of(deployed.kinds, [](const rules::Kind& kind) {
    return kind.record->other_fields == contract::OtherFields::refuse;
  });
}

Status check_new_table_name(const std::string& name) {
  const auto may_be = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  };
  if (name.size() >= table_name_bytes_min && name.size() <= name_bytes_max &&
      std::ranges::all_of(name, may_be)) {
    return {};
  }
  return invalid("\"" + name +
                 "\" cannot be the name of a table: 3 to 255 of a-z, A-Z, 0-9, '_', '-' and '.'");
}

std::vector<table::KeyElement> elements_of(const table::KeySchema& key) {
  std::vector<table::KeyElement> elements{{key.partition.name, false}};
  if (key.sort) {
    elements.push_back({key.sort->name, true});
  }
  return elements;
}

std::optional<table::CapacityUnits> units_of(table::BillingMode billing,
                                             const table::Throughput& throughput) {
  if (billing != table::BillingMode::provisioned) {
    return {};
  }
  return table::CapacityUnits{throughput.read_units, throughput.write_units};
}

// The definitions of a key's attributes, each once; those of the new key go before.
void define(const table::KeySchema& key, std::vector<table::KeyAttribute>& definitions) {
  const auto add = [&](const table::KeyAttribute& attribute) {
    if (table::find_definition(definitions, attribute.name) == nullptr) {
      definitions.push_back(attribute);
    }
  };
  add(key.partition);
  if (key.sort) {
    add(*key.sort);
  }
}

}  // namespace

Result<std::string> read_initial(std::string_view text) {
  std::string encoded;
  if (const auto number = item::Decimal::parse(text)) {
    std::string digits;
    number->append_text(digits);
    item::append_scalar(encoded, item::Type::number, digits);
    return encoded;
  }
  if (text == "true" || text == "false") {
    item::append_boolean(encoded, text == "true");
    return encoded;
  }
  if (text == "null") {
    item::append_null(encoded);
    return encoded;
  }
  json::Parser parser;
  const auto value = text.starts_with('{') ? parser.parse_copy(text) : Result<json::Value>(Error());
  if (value && value->is_object()) {
    WAYBILL_TRY(item::append_value(encoded, *value));
    return encoded;
  }
  item::append_scalar(encoded, item::Type::string, text);
  return encoded;
}

Result<std::pair<std::string, std::string>> read_pair(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return invalid("'" + std::string(text) + "': write NAME=VALUE");
  }
  return std::pair(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
}

Status check_without(const std::string& field, const rules::Deployed* deployed) {
  if (deployed == nullptr || !names(*deployed, field)) {
    return {};
  }
  return invalid("contract " + deployed->contract.name + " names the field " + field +
                 ": give its next version, without it, with --contract FILE");
}

Status check_without(const std::string& field, const table::Table& table) {
  if (table.ttl.attribute == field) {
    return invalid("the time to live of table " + table.name + " is in " + field + ": move it first");
  }
  const auto found =
      std::ranges::find_if(table.indexes, [&](const table::Index& index) { return index.key.has(field); });
  if (found == table.indexes.end()) {
    return {};
  }
  return invalid("the index " + found->name + " of table " + table.name + " is by " + field +
                 ": delete it first, after making one by another field where it is needed");
}

Status check_start(const Migration& wanted, const table::Table& table, const rules::Deployed* deployed) {
  switch (wanted.kind) {
    case Kind::rename:
      WAYBILL_TRY(check_field_name(wanted.old_field, table));
      WAYBILL_TRY(check_field_name(wanted.new_field, table));
      return wanted.old_field == wanted.new_field ? Status(invalid("the two names are the same")) : Status();
    case Kind::add:
      WAYBILL_TRY(check_field_name(wanted.new_field, table));
      if (deployed != nullptr && refuses_others(*deployed) && !names(*deployed, wanted.new_field)) {
        return invalid("contract " + deployed->contract.name +
                       " refuses fields that it does not name: apply a version first in which " +
                       wanted.new_field + "? is an optional field");
      }
      return {};
    case Kind::remove:
      WAYBILL_TRY(check_field_name(wanted.old_field, table));
      return check_without(wanted.old_field, deployed);
    case Kind::key:
      break;
  }
  WAYBILL_TRY(check_new_table_name(wanted.new_table));
  if (!Spared(deployed).is_empty()) {
    return invalid("contract " + deployed->contract.name + " keeps its audit lines in table " + table.name +
                   ", and their hashes are of their keys as well: they cannot get other ones");
  }
  WAYBILL_TRY(KeyChange::make(wanted, table.key));
  return {};
}

Result<table::Table> make_new_table(const Migration& migration, const table::Table& old, int64_t now_ms) {
  WAYBILL_TRY_ASSIGN(const auto change, KeyChange::make(migration, old.key));
  table::WantedTable wanted;
  wanted.name = migration.new_table;
  wanted.key = elements_of(change.new_key());
  define(change.new_key(), wanted.definitions);
  wanted.billing = old.billing;
  wanted.throughput = units_of(old.billing, old.throughput);
  for (const auto& index : old.indexes) {
    if (index.kind != table::IndexKind::global) {
      continue;
    }
    define(index.key, wanted.definitions);
    table::WantedIndex copy;
    copy.name = index.name;
    copy.key = elements_of(index.key);
    copy.projection.kind = index.projection.kind;
    if (index.projection.kind == table::ProjectionKind::include) {
      copy.projection.attributes = index.projection.attributes;
    }
    copy.throughput = units_of(old.billing, index.throughput);
    if (!wanted.global_indexes) {
      wanted.global_indexes.emplace();
    }
    wanted.global_indexes->push_back(std::move(copy));
  }
  WAYBILL_TRY_ASSIGN(auto table, table::make_table(wanted));
  table.created_at_ms = now_ms;
  table.on_demand_since_ms = table.billing == table::BillingMode::pay_per_request ? now_ms : 0;
  table.table_class = old.table_class;
  table.ttl.attribute = old.ttl.attribute;
  table.recovery.enabled = old.recovery.enabled;
  table.recovery.days = old.recovery.days;
  return table;
}

}  // namespace waybill::migration
