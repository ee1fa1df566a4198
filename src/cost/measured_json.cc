#include "cost/measured_json.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "table/member_reader.h"

namespace waybill::cost {
namespace {

using table::MemberReader;

constexpr std::string_view kind_names[] = {"table", "global_index", "local_index"};

void write_load(json::Writer& out, const MeasuredLoad& load) {
  out.begin_object();
  out.key("units").real(load.units);
  out.key("requests").integer(static_cast<int64_t>(load.requests));
  out.key("peak_minute_units").real(load.peak_minute_units);
  out.key("peak_second_units").real(load.peak_second_units);
  out.key("units_min").integer(load.rule.units_min);
  out.key("units_max").integer(load.rule.units_max);
  out.key("target").real(load.rule.target);
  out.key("is_registered").boolean(load.rule.is_registered);
  out.key("scaled_unit_minutes").real(load.scaled_unit_minutes);
  out.key("scaled_units_largest").integer(load.scaled_units_largest);
  out.key("minutes_short").integer(load.minutes_short);
  if (load.fixed_units) {
    out.key("fixed_units").integer(*load.fixed_units);
  }
  out.end_object();
}

void write_table(json::Writer& out, const MeasuredTable& table) {
  out.begin_object();
  out.key("name").string(table.name);
  out.key("table_class").string(table.table_class);
  out.key("on_demand").boolean(table.on_demand);
  out.key("begin_minute").integer(table.begin_minute);
  out.key("end_minute").integer(table.end_minute);
  out.key("parts").begin_array();
  for (const auto& part : table.parts) {
    out.begin_object();
    out.key("name").string(part.name);
    out.key("kind").string(kind_names[static_cast<std::size_t>(part.kind)]);
    write_load(out.key("reads"), part.reads);
    write_load(out.key("writes"), part.writes);
    out.key("items").integer(part.items);
    out.key("bytes").integer(part.bytes).end_object();
  }
  out.end_array().end_object();
}

MeasuredLoad read_load(const std::optional<MemberReader>& in) {
  MeasuredLoad load;
  if (!in) {
    return load;
  }
  load.units = in->real("units");
  load.requests = static_cast<uint64_t>(in->integer("requests"));
  load.peak_minute_units = in->real("peak_minute_units");
  load.peak_second_units = in->real("peak_second_units");
  load.rule = {in->integer("units_min"), in->integer("units_max"), in->real("target"),
               in->boolean("is_registered")};
  load.scaled_unit_minutes = in->real("scaled_unit_minutes");
  load.scaled_units_largest = in->integer("scaled_units_largest");
  load.minutes_short = in->integer("minutes_short");
  load.fixed_units = in->maybe_integer("fixed_units");
  return load;
}

MeasuredPart read_part(const MemberReader& in) {
  MeasuredPart part;
  part.name = in.string("name");
  const auto kind = std::ranges::find(kind_names, in.string("kind"));
  if (kind == std::end(kind_names)) {
    in.fail("kind");
  } else {
    part.kind = static_cast<PartKind>(kind - std::begin(kind_names));
  }
  part.reads = read_load(in.object("reads"));
  part.writes = read_load(in.object("writes"));
  part.items = in.integer("items");
  part.bytes = in.integer("bytes");
  return part;
}

MeasuredTable read_table(const MemberReader& in) {
  MeasuredTable table;
  table.name = in.string("name");
  table.table_class = in.string("table_class");
  table.on_demand = in.boolean("on_demand");
  table.begin_minute = in.integer("begin_minute");
  table.end_minute = in.integer("end_minute");
  if (const auto parts = in.array("parts")) {
    for (json::Elements elements(*parts); elements.next();) {
      table.parts.push_back(read_part(in.element(elements.value())));
    }
  }
  if (table.parts.empty() || table.minutes() < 1) {
    in.fail("parts");
  }
  return table;
}

}  // namespace

std::string to_json(const std::vector<MeasuredTable>& tables) {
  std::string text;
  json::Writer out(text);
  out.begin_object().key("tables").begin_array();
  for (const auto& table : tables) {
    write_table(out, table);
  }
  out.end_array().end_object();
  return text;
}

Result<std::vector<MeasuredTable>> measured_from_json(std::string_view text) {
  json::Parser parser;
  const auto root = parser.parse_copy(text);
  std::string problem;
  std::vector<MeasuredTable> tables;
  if (root && root->is_object()) {
    const MemberReader in(*root, problem);
    if (const auto array = in.array("tables")) {
      for (json::Elements elements(*array); elements.next();) {
        tables.push_back(read_table(in.element(elements.value())));
      }
    }
  } else {
    problem = "not a JSON object";
  }
  if (!problem.empty()) {
    return Error{ErrorKind::corruption, "The server's measurements can't be read: " + problem, {}};
  }
  return tables;
}

}  // namespace waybill::cost
