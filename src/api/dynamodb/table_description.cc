#include "api/dynamodb/table_description.h"

#include <algorithm>

#include "table/schema_json.h"
#include "table/stream.h"

namespace waybill::api::dynamodb {
namespace {

std::string_view type_letter(item::Type type) {
  return type == item::Type::number ? "N" : type == item::Type::binary ? "B" : "S";
}

void write_definitions(json::Writer& out, const table::Table& table) {
  out.key("AttributeDefinitions").begin_array();
  for (const auto& attribute : table.attribute_definitions) {
    out.begin_object().key("AttributeName").string(attribute.name);
    out.key("AttributeType").string(type_letter(attribute.type)).end_object();
  }
  out.end_array();
}

void write_throughput(json::Writer& out, const table::Throughput& throughput) {
  out.key("ProvisionedThroughput").begin_object();
  out.key("ReadCapacityUnits").integer(throughput.read_units);
  out.key("WriteCapacityUnits").integer(throughput.write_units);
  out.key("NumberOfDecreasesToday").integer(throughput.decreases_today);
  if (throughput.last_increase_ms != 0) {
    write_time(out.key("LastIncreaseDateTime"), throughput.last_increase_ms);
  }
  if (throughput.last_decrease_ms != 0) {
    write_time(out.key("LastDecreaseDateTime"), throughput.last_decrease_ms);
  }
  out.end_object();
}

void write_limits(json::Writer& out, const std::optional<table::OnDemandLimits>& limits) {
  if (!limits) {
    return;
  }
  out.key("OnDemandThroughput").begin_object();
  if (limits->read_units_max >= 0) {
    out.key("MaxReadRequestUnits").integer(limits->read_units_max);
  }
  if (limits->write_units_max >= 0) {
    out.key("MaxWriteRequestUnits").integer(limits->write_units_max);
  }
  out.end_object();
}

void write_warm(json::Writer& out, table::BillingMode billing, const table::Throughput& throughput) {
  const bool on_demand = billing == table::BillingMode::pay_per_request;
  out.key("WarmThroughput").begin_object();
  out.key("ReadUnitsPerSecond").integer(on_demand ? table::on_demand_warm_reads : throughput.read_units);
  out.key("WriteUnitsPerSecond").integer(on_demand ? table::on_demand_warm_writes : throughput.write_units);
  out.key("Status").string("ACTIVE").end_object();
}

void write_billing(json::Writer& out, const table::Table& table) {
  if (table.billing != table::BillingMode::pay_per_request) {
    return;
  }
  const auto summary = [&](std::string_view member, std::string_view mode) {
    out.key(member).begin_object().key(mode).string("PAY_PER_REQUEST");
    if (table.on_demand_since_ms != 0) {
      write_time(out.key("LastUpdateToPayPerRequestDateTime"), table.on_demand_since_ms);
    }
    out.end_object();
  };
  summary("BillingModeSummary", "BillingMode");
  summary("TableThroughputModeSummary", "TableThroughputMode");
}

std::string key_arn(const Services& services, const table::Table& table) {
  const auto& id = table.encryption.key_id;
  if (id.starts_with("arn:")) {
    return id;
  }
  std::string arn = "arn:aws:kms:" + services.region + ":" + services.account_id + ":";
  if (id.starts_with("alias/") || id.starts_with("key/")) {
    return arn + id;
  }
  return arn + "key/" + (id.empty() ? table.uuid : id);
}

void write_settings(json::Writer& out, const Services& services, const table::Table& table,
                    const DescriptionOptions& options) {
  write_limits(out, table.on_demand_limits);
  write_warm(out, table.billing, table.throughput);
  if (table.encryption.enabled) {
    out.key("SSEDescription").begin_object().key("Status").string("ENABLED");
    out.key("SSEType").string("KMS").key("KMSMasterKeyArn").string(key_arn(services, table)).end_object();
  }
  if (table.stream.enabled) {
    out.key("StreamSpecification").begin_object().key("StreamEnabled").boolean(true);
    out.key("StreamViewType").string(table::name_of(table.stream.view)).end_object();
  }
  if (!table.stream.label.empty()) {
    out.key("LatestStreamLabel").string(table.stream.label);
    out.key("LatestStreamArn").string(services.stream_arn(table.name, table.stream.label));
  }
  if (!table.table_class.empty()) {
    out.key("TableClassSummary").begin_object().key("TableClass").string(table.table_class).end_object();
  }
  if (options.with_deletion_protection) {
    out.key("DeletionProtectionEnabled").boolean(table.deletion_protection);
  }
}

struct IndexContext {
  const Services& services;
  const table::Table& table;
  const DescriptionOptions& options;
};

void write_index(json::Writer& out, const IndexContext& context, const table::Index& index,
                 const store::Stats& stats) {
  out.begin_object();
  out.key("IndexName").string(index.name);
  out.key("IndexArn").string(context.services.table_arn(context.table.name) + "/index/" + index.name);
  table::write_key_schema(out, index.key);
  table::write_projection(out, index.projection);
  if (index.kind == table::IndexKind::global) {
    out.key("IndexStatus").string(index.backfilling ? "CREATING" : context.options.index_status);
    if (index.backfilling) {
      out.key("Backfilling").boolean(true);
    }
    const bool on_demand = context.table.billing == table::BillingMode::pay_per_request;
    write_throughput(out, on_demand ? table::Throughput() : index.throughput);
    write_limits(out, index.on_demand_limits);
    write_warm(out, context.table.billing, index.throughput);
  }
  out.key("ItemCount").integer(stats.items);
  out.key("IndexSizeBytes").integer(stats.bytes);
  out.end_object();
}

void write_indexes(json::Writer& out, const IndexContext& context, table::IndexKind kind,
                   const TableStats& stats) {
  const auto& indexes = context.table.indexes;
  if (std::none_of(indexes.begin(), indexes.end(), [&](const auto& index) { return index.kind == kind; })) {
    return;
  }
  out.key(kind == table::IndexKind::local ? "LocalSecondaryIndexes" : "GlobalSecondaryIndexes").begin_array();
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    if (indexes[i].kind == kind) {
      write_index(out, context, indexes[i], i < stats.indexes.size() ? stats.indexes[i] : store::Stats());
    }
  }
  out.end_array();
}

void write_shown_throughput(json::Writer& out, const table::Table& table, const DescriptionOptions& options) {
  auto throughput = table.throughput;
  if (options.units_were) {
    throughput.read_units = options.units_were->read;
    throughput.write_units = options.units_were->write;
  }
  write_throughput(out, throughput);
}

void write_origin(json::Writer& out, const Services& services, const table::Table& table) {
  const auto& origin = table.origin;
  if (origin.kind == table::OriginKind::empty || origin.kind == table::OriginKind::import) {
    return;
  }
  const auto source_arn = services.table_arn(origin.table_name);
  out.key("RestoreSummary").begin_object();
  if (origin.kind == table::OriginKind::backup) {
    out.key("SourceBackupArn").string(source_arn + "/backup/" + origin.backup_id);
  }
  out.key("SourceTableArn").string(source_arn);
  write_time(out.key("RestoreDateTime"), origin.moment_ms);
  out.key("RestoreInProgress").boolean(table.state == table::TableState::being_made);
  out.end_object();
}

}  // namespace

void write_time(json::Writer& out, int64_t ms) {
  out.real(static_cast<double>(ms) / 1000.0);
}

TableStats read_stats(const store::Store& store, const table::Table& table) {
  TableStats stats;
  stats.table = store.stats(table.space);
  for (const auto& index : table.indexes) {
    stats.indexes.push_back(store.stats(index.space));
  }
  return stats;
}

std::string_view current_status(const table::Table& table) {
  if (table.state != table::TableState::ready) {
    return table.state == table::TableState::being_made ? "CREATING" : "DELETING";
  }
  const bool filling = std::any_of(table.indexes.begin(), table.indexes.end(),
                                   [](const table::Index& index) { return index.backfilling; });
  return filling ? "UPDATING" : "ACTIVE";
}

std::string table_description(std::string_view member, const Services& services, const table::Table& table,
                              const TableStats& stats, const DescriptionOptions& options) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key(member).begin_object();
  out.key("TableName").string(table.name);
  out.key("TableId").string(table.uuid);
  out.key("TableArn").string(services.table_arn(table.name));
  out.key("TableStatus").string(options.status);
  table::write_key_schema(out, table.key);
  write_definitions(out, table);
  write_time(out.key("CreationDateTime"), table.created_at_ms);
  out.key("ItemCount").integer(stats.table.items);
  out.key("TableSizeBytes").integer(stats.table.bytes);
  write_shown_throughput(out, table, options);
  write_billing(out, table);
  const IndexContext context{services, table, options};
  write_indexes(out, context, table::IndexKind::global, stats);
  write_indexes(out, context, table::IndexKind::local, stats);
  write_settings(out, services, table, options);
  write_origin(out, services, table);
  out.end_object().end_object();
  return text;
}

}  // namespace waybill::api::dynamodb
