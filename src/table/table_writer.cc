#include "base/json.h"
#include "table/backup.h"
#include "table/scaling_format.h"
#include "table/stream.h"
#include "table/table.h"
#include "table/table_format.h"

// Stored form, version 2: {"format":2,"name":…}, the members named where they are written. A member that is
// missing is damage; a new member needs a new version.
namespace waybill::table {
namespace {

char type_letter(item::Type type) {
  return type == item::Type::number ? 'N' : type == item::Type::binary ? 'B' : 'S';
}

void write_attribute(json::Writer& out, const KeyAttribute& attribute) {
  const char type = type_letter(attribute.type);
  out.begin_object().key("name").string(attribute.name);
  out.key("type").string(std::string_view(&type, 1)).end_object();
}

void write_key(json::Writer& out, const KeySchema& key) {
  out.begin_object();
  write_attribute(out.key("partition"), key.partition);
  if (key.sort) {
    write_attribute(out.key("sort"), *key.sort);
  }
  out.end_object();
}

void write_projection(json::Writer& out, const Projection& projection) {
  constexpr std::string_view names[] = {"all", "keys_only", "include"};
  out.begin_object().key("kind").string(names[static_cast<std::size_t>(projection.kind)]);
  out.key("attributes").begin_array();
  for (const auto& name : projection.attributes) {
    out.string(name);
  }
  out.end_array().end_object();
}

void write_throughput(json::Writer& out, const Throughput& throughput) {
  out.begin_object();
  out.key("read_units").integer(throughput.read_units);
  out.key("write_units").integer(throughput.write_units);
  out.key("last_increase_ms").integer(throughput.last_increase_ms);
  out.key("last_decrease_ms").integer(throughput.last_decrease_ms);
  out.key("decreases_today").integer(throughput.decreases_today);
  out.end_object();
}

void write_limits(json::Writer& out, const std::optional<OnDemandLimits>& limits) {
  if (!limits) {
    return;
  }
  out.key("on_demand_limits").begin_object();
  out.key("read_units_max").integer(limits->read_units_max);
  out.key("write_units_max").integer(limits->write_units_max);
  out.end_object();
}

void write_index(json::Writer& out, const Index& index) {
  out.begin_object();
  out.key("space").integer(index.space);
  out.key("name").string(index.name);
  out.key("kind").string(index.kind == IndexKind::local ? "local" : "global");
  write_key(out.key("key"), index.key);
  write_projection(out.key("projection"), index.projection);
  write_throughput(out.key("throughput"), index.throughput);
  write_limits(out, index.on_demand_limits);
  write_scaling(out, index.scaling);
  out.key("backfilling").boolean(index.backfilling);
  out.end_object();
}

void write_place(json::Writer& out, const ChangePlace& place) {
  out.begin_array().integer(place.time_ms).integer(static_cast<int64_t>(place.number)).end_array();
}

void write_ttl(json::Writer& out, const TimeToLive& ttl) {
  out.begin_object();
  out.key("attribute").string(ttl.attribute);
  out.key("space").integer(ttl.space);
  out.key("backfilling").boolean(ttl.backfilling);
  out.key("changed_at_ms").integer(ttl.changed_at_ms);
  out.key("is_walked").boolean(ttl.is_walked);
  out.end_object();
}

void write_tags(json::Writer& out, const Table& table) {
  out.key("tags").begin_array();
  for (const auto& [key, value] : table.tags) {
    out.begin_array().string(key).string(value).end_array();
  }
  out.end_array();
}

void write_settings(json::Writer& out, const Table& table) {
  out.key("billing").string(table.billing == BillingMode::provisioned ? "provisioned" : "pay_per_request");
  out.key("on_demand_since_ms").integer(table.on_demand_since_ms);
  write_throughput(out.key("throughput"), table.throughput);
  write_limits(out, table.on_demand_limits);
  write_scaling(out, table.scaling);
  write_ttl(out.key("ttl"), table.ttl);
  write_tags(out, table);
  out.key("deletion_protection").boolean(table.deletion_protection);
  if (table.has_rules) {
    out.key("has_rules").boolean(true);
  }
  out.key("table_class").string(table.table_class);
  out.key("encryption").begin_object();
  out.key("enabled").boolean(table.encryption.enabled);
  out.key("key_id").string(table.encryption.key_id).end_object();
  out.key("stream").begin_object();
  out.key("enabled").boolean(table.stream.enabled);
  out.key("view").string(name_of(table.stream.view));
  out.key("label").string(table.stream.label).end_object();
  out.key("log").integer(table.log);
  out.key("recovery").begin_object();
  out.key("enabled").boolean(table.recovery.enabled);
  out.key("days").integer(table.recovery.days);
  out.key("since_ms").integer(table.recovery.since_ms).end_object();
}

void write_origin(json::Writer& out, const Origin& origin) {
  constexpr std::string_view names[] = {"empty", "past", "backup", "import"};
  out.begin_object().key("kind").string(names[static_cast<std::size_t>(origin.kind)]);
  out.key("table_name").string(origin.table_name);
  out.key("table_space").integer(origin.table_space);
  write_place(out.key("until"), origin.until);
  out.key("backup_id").string(origin.backup_id);
  out.key("moment_ms").integer(origin.moment_ms).end_object();
}

void write_table(json::Writer& out, const Table& table) {
  out.begin_object();
  out.key("format").integer(format_version);
  out.key("space").integer(table.space);
  out.key("name").string(table.name);
  out.key("uuid").string(table.uuid);
  out.key("created_at_ms").integer(table.created_at_ms);
  write_key(out.key("key"), table.key);
  out.key("attribute_definitions").begin_array();
  for (const auto& attribute : table.attribute_definitions) {
    write_attribute(out, attribute);
  }
  out.end_array().key("indexes").begin_array();
  for (const auto& index : table.indexes) {
    write_index(out, index);
  }
  out.end_array();
  write_settings(out, table);
  write_origin(out.key("origin"), table.origin);
  constexpr std::string_view states[] = {"ready", "being_made", "being_deleted"};
  out.key("state").string(states[static_cast<std::size_t>(table.state)]);
  out.end_object();
}

}  // namespace

std::string serialize(const Table& table) {
  std::string text;
  json::Writer out(text);
  write_table(out, table);
  return text;
}

std::string serialize(const Stream& stream) {
  std::string text;
  json::Writer out(text);
  out.begin_object();
  out.key("format").integer(format_version);
  out.key("table_name").string(stream.table_name);
  out.key("label").string(stream.label);
  out.key("view").string(name_of(stream.view));
  write_key(out.key("key"), stream.key);
  out.key("log").integer(stream.log);
  write_place(out.key("begin"), stream.begin);
  if (stream.end) {
    write_place(out.key("end"), *stream.end);
  }
  out.end_object();
  return text;
}

std::string serialize(const Backup& backup) {
  std::string text;
  json::Writer out(text);
  out.begin_object();
  out.key("format").integer(format_version);
  out.key("id").string(backup.id);
  out.key("name").string(backup.name);
  out.key("by_service").boolean(backup.by_service);
  out.key("available").boolean(backup.available);
  out.key("created_ms").integer(backup.created_ms);
  out.key("expires_ms").integer(backup.expires_ms);
  out.key("space").integer(backup.space);
  out.key("items").integer(backup.items);
  out.key("bytes").integer(backup.bytes);
  write_table(out.key("table"), backup.table);
  out.end_object();
  return text;
}

}  // namespace waybill::table
