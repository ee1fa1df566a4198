#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "table/backup.h"
#include "table/member_reader.h"
#include "table/scaling_format.h"
#include "table/stream.h"
#include "table/table.h"
#include "table/table_format.h"

namespace waybill::table {
namespace {

using Reader = MemberReader;

KeyAttribute read_attribute(const Reader& in) {
  const auto letter = in.string("type");
  const auto type = letter == "N"   ? item::Type::number
                    : letter == "B" ? item::Type::binary
                                    : item::Type::string;
  return KeyAttribute{in.string("name"), type};
}

KeySchema read_key(const std::optional<Reader>& in) {
  KeySchema key;
  if (!in) {
    return key;
  }
  if (const auto partition = in->object("partition")) {
    key.partition = read_attribute(*partition);
  }
  if (in->has("sort")) {
    if (const auto sort = in->object("sort")) {
      key.sort = read_attribute(*sort);
    }
  }
  return key;
}

std::vector<std::string> read_strings(const Reader& in, std::string_view name) {
  std::vector<std::string> result;
  if (const auto array = in.array(name)) {
    for (json::Elements elements(*array); elements.next();) {
      if (elements.value().is_string()) {
        result.emplace_back(elements.value().string());
      } else {
        in.fail(name);
      }
    }
  }
  return result;
}

Projection read_projection(const std::optional<Reader>& in) {
  if (!in) {
    return {};
  }
  const auto kind = in->string("kind");
  return Projection{kind == "include"     ? ProjectionKind::include
                    : kind == "keys_only" ? ProjectionKind::keys_only
                                          : ProjectionKind::all,
                    read_strings(*in, "attributes")};
}

Throughput read_throughput(const std::optional<Reader>& in) {
  if (!in) {
    return {};
  }
  return Throughput{in->integer("read_units"), in->integer("write_units"), in->integer("last_increase_ms"),
                    in->integer("last_decrease_ms"), in->integer("decreases_today")};
}

std::optional<OnDemandLimits> read_limits(const Reader& in) {
  if (!in.has("on_demand_limits")) {
    return std::nullopt;
  }
  const auto limits = in.object("on_demand_limits");
  return limits ? std::optional(
                      OnDemandLimits{limits->integer("read_units_max"), limits->integer("write_units_max")})
                : std::nullopt;
}

Index read_index(const Reader& in) {
  Index index;
  index.space = in.space("space");
  index.name = in.string("name");
  index.kind = in.string("kind") == "local" ? IndexKind::local : IndexKind::global;
  index.key = read_key(in.object("key"));
  index.projection = read_projection(in.object("projection"));
  index.throughput = read_throughput(in.object("throughput"));
  index.on_demand_limits = read_limits(in);
  index.scaling = read_scaling(in);
  index.backfilling = in.boolean("backfilling");
  return index;
}

StreamView read_view(const Reader& in) {
  const auto view = stream_view_of(in.string("view"));
  if (!view) {
    in.fail("view");
  }
  return view.value_or(StreamView::keys_only);
}

ChangePlace read_place(const Reader& in, std::string_view name) {
  std::vector<int64_t> parts;
  if (const auto array = in.array(name)) {
    for (json::Elements elements(*array); elements.next();) {
      parts.push_back(elements.value().type() == json::Type::number ? elements.value().integer().value_or(0)
                                                                    : 0);
    }
  }
  if (parts.size() != 2) {
    in.fail(name);
    return {};
  }
  return {parts[0], static_cast<uint64_t>(parts[1])};
}

void read_tags(const Reader& in, Table& table) {
  const auto tags = in.array("tags");
  if (!tags) {
    return;
  }
  for (json::Elements pairs(*tags); pairs.next();) {
    std::vector<std::string> pair;
    if (pairs.value().is_array()) {
      for (json::Elements parts(pairs.value()); parts.next();) {
        pair.emplace_back(parts.value().is_string() ? parts.value().string() : std::string_view());
      }
    }
    if (pair.size() != 2) {
      in.fail("tags");
      return;
    }
    table.tags.emplace_back(std::move(pair[0]), std::move(pair[1]));
  }
}

void read_settings(const Reader& in, Table& table) {
  table.billing =
      in.string("billing") == "provisioned" ? BillingMode::provisioned : BillingMode::pay_per_request;
  table.on_demand_since_ms = in.integer("on_demand_since_ms");
  table.throughput = read_throughput(in.object("throughput"));
  table.on_demand_limits = read_limits(in);
  table.scaling = read_scaling(in);
  if (const auto ttl = in.object("ttl")) {
    table.ttl = TimeToLive{ttl->string("attribute"), ttl->space("space"), ttl->boolean("backfilling"),
                           ttl->integer("changed_at_ms"), ttl->has("is_walked") && ttl->boolean("is_walked")};
  }
  read_tags(in, table);
  table.deletion_protection = in.boolean("deletion_protection");
  table.has_rules = in.has("has_rules") && in.boolean("has_rules");
  table.table_class = in.string("table_class");
  if (const auto encryption = in.object("encryption")) {
    table.encryption = Encryption{encryption->boolean("enabled"), encryption->string("key_id")};
  }
  if (const auto stream = in.object("stream")) {
    table.stream = StreamSettings{stream->boolean("enabled"), read_view(*stream), stream->string("label")};
  }
  table.log = in.space("log");
  if (const auto recovery = in.object("recovery")) {
    table.recovery =
        Recovery{recovery->boolean("enabled"), recovery->integer("days"), recovery->integer("since_ms")};
  }
}

Origin read_origin(const std::optional<Reader>& in) {
  Origin origin;
  if (!in) {
    return origin;
  }
  const auto kind = in->string("kind");
  origin.kind = kind == "past"     ? OriginKind::past
                : kind == "backup" ? OriginKind::backup
                : kind == "import" ? OriginKind::import
                                   : OriginKind::empty;
  origin.table_name = in->string("table_name");
  origin.table_space = in->space("table_space");
  origin.until = read_place(*in, "until");
  origin.backup_id = in->string("backup_id");
  origin.moment_ms = in->integer("moment_ms");
  return origin;
}

TableState read_state(const Reader& in) {
  const auto state = in.string("state");
  return state == "being_made"      ? TableState::being_made
         : state == "being_deleted" ? TableState::being_deleted
                                    : TableState::ready;
}

Table read_table(const Reader& in) {
  Table table;
  table.space = in.space("space");
  table.name = in.string("name");
  table.uuid = in.string("uuid");
  table.created_at_ms = in.integer("created_at_ms");
  table.key = read_key(in.object("key"));
  if (const auto definitions = in.array("attribute_definitions")) {
    for (json::Elements elements(*definitions); elements.next();) {
      table.attribute_definitions.push_back(read_attribute(in.element(elements.value())));
    }
  }
  if (const auto indexes = in.array("indexes")) {
    for (json::Elements elements(*indexes); elements.next();) {
      table.indexes.push_back(read_index(in.element(elements.value())));
    }
  }
  read_settings(in, table);
  table.origin = read_origin(in.object("origin"));
  table.state = read_state(in);
  return table;
}

Stream read_stream(const Reader& in) {
  Stream stream;
  stream.table_name = in.string("table_name");
  stream.label = in.string("label");
  stream.view = read_view(in);
  stream.key = read_key(in.object("key"));
  stream.log = in.space("log");
  stream.begin = read_place(in, "begin");
  if (in.has("end")) {
    stream.end = read_place(in, "end");
  }
  return stream;
}

Backup read_backup(const Reader& in) {
  Backup backup;
  backup.id = in.string("id");
  backup.name = in.string("name");
  backup.by_service = in.boolean("by_service");
  backup.available = in.boolean("available");
  backup.created_ms = in.integer("created_ms");
  backup.expires_ms = in.integer("expires_ms");
  backup.space = in.space("space");
  backup.items = in.integer("items");
  backup.bytes = in.integer("bytes");
  if (const auto table = in.object("table")) {
    backup.table = read_table(*table);
  }
  return backup;
}

Error damaged(std::string_view what) {
  return Error{ErrorKind::corruption, "A stored description can't be read", std::string(what)};
}

// What read(in) makes of the stored object.
template <typename Read>
auto read_object(std::string_view text, Read read) -> Result<decltype(read(std::declval<const Reader&>()))> {
  json::Parser parser;
  auto parsed = parser.parse_copy(text);
  if (!parsed || !parsed->is_object()) {
    return damaged("not a JSON object");
  }
  std::string problem;
  const Reader in(*parsed, problem);
  if (const auto version = in.integer("format"); version != format_version) {
    return damaged("format " + std::to_string(version) + " is not known to this version of waybill");
  }
  auto made = read(in);
  if (!problem.empty()) {
    return damaged("missing or wrong member: " + problem);
  }
  return made;
}

}  // namespace

Result<Table> deserialize(std::string_view text) {
  return read_object(text, read_table);
}

Result<Stream> deserialize_stream(std::string_view text) {
  return read_object(text, read_stream);
}

Result<Backup> deserialize_backup(std::string_view text) {
  return read_object(text, read_backup);
}

}  // namespace waybill::table
