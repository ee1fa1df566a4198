#include "transfer/table_parameters.h"

#include <algorithm>

#include "base/json.h"
#include "item/value.h"
#include "table/schema_json.h"

namespace waybill::transfer {

namespace {

void write_throughput(json::Writer& out, const table::Throughput& units) {
  out.key("ProvisionedThroughput").begin_object();
  out.key("ReadCapacityUnits").integer(units.read_units);
  out.key("WriteCapacityUnits").integer(units.write_units).end_object();
}

void write_indexes(json::Writer& out, const table::Table& table, table::IndexKind kind) {
  const auto is_kind = [&](const table::Index& index) { return index.kind == kind; };
  if (std::ranges::none_of(table.indexes, is_kind)) {
    return;
  }
  out.key(kind == table::IndexKind::local ? "LocalSecondaryIndexes" : "GlobalSecondaryIndexes").begin_array();
  for (const auto& index : table.indexes) {
    if (!is_kind(index)) {
      continue;
    }
    out.begin_object().key("IndexName").string(index.name);
    table::write_key_schema(out, index.key);
    table::write_projection(out, index.projection);
    if (kind == table::IndexKind::global && table.billing == table::BillingMode::provisioned) {
      write_throughput(out, index.throughput);
    }
    out.end_object();
  }
  out.end_array();
}

}  // namespace

std::string table_parameters(const table::Table& table) {
  const bool on_demand = table.billing == table::BillingMode::pay_per_request;
  std::string text;
  json::Writer out(text);
  out.begin_object().key("TableName").string(table.name);
  out.key("AttributeDefinitions").begin_array();
  for (const auto& attribute : table.attribute_definitions) {
    out.begin_object().key("AttributeName").string(attribute.name);
    out.key("AttributeType").string(item::type_name(attribute.type)).end_object();
  }
  out.end_array();
  table::write_key_schema(out, table.key);
  write_indexes(out, table, table::IndexKind::local);
  write_indexes(out, table, table::IndexKind::global);
  out.key("BillingMode").string(on_demand ? "PAY_PER_REQUEST" : "PROVISIONED");
  if (!on_demand) {
    write_throughput(out, table.throughput);
  }
  out.end_object();
  return text;
}

}  // namespace waybill::transfer
