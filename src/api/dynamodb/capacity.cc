#include "api/dynamodb/capacity.h"

#include <algorithm>

namespace waybill::api::dynamodb {
namespace {

void append_units(json::Writer& writer, double units, ConsumedUnits::Purpose purpose) {
  writer.key("CapacityUnits").real(units);
  if (purpose == ConsumedUnits::Purpose::read) {
    writer.key("ReadCapacityUnits").real(units);
  } else if (purpose == ConsumedUnits::Purpose::write) {
    writer.key("WriteCapacityUnits").real(units);
  }
}

}  // namespace

CapacityDetail capacity_detail(const std::optional<std::string_view>& word) {
  if (word == "TOTAL") {
    return CapacityDetail::total;
  }
  return word == "INDEXES" ? CapacityDetail::indexes : CapacityDetail::none;
}

void count_read(const store::Store& store, table::SpaceId space, double units) {
  store.meter().add({space, usage::Kind::read, usage::in_halves(units)});
}

double ConsumedUnits::total() const {
  double sum = table_;
  for (const auto& index : indexes_) {
    sum += index.units;
  }
  return sum;
}

void ConsumedUnits::add_index(std::string_view index, table::IndexKind kind, double units) {
  const auto known = std::find_if(indexes_.begin(), indexes_.end(),
                                  [&](const IndexUnits& entry) { return entry.index == index; });
  if (known != indexes_.end()) {
    known->units += units;
  } else {
    indexes_.push_back({std::string(index), kind, units});
  }
}

void ConsumedUnits::add_write(const store::ActionResult& result, double table_factor) {
  add_table(table_factor * write_units(std::max(result.before_bytes, result.after_bytes)));
  for (const auto& change : result.index_changes) {
    if (const double units = table::entry_units(change.removed_bytes, change.written_bytes); units > 0) {
      add_index(change.index, change.kind, units);
    }
  }
}

void ConsumedUnits::append_indexes(json::Writer& writer, std::string_view field, table::IndexKind kind,
                                   Purpose purpose) const {
  bool open = false;
  for (const auto& index : indexes_) {
    if (index.kind != kind) {
      continue;
    }
    if (!open) {
      writer.key(field).begin_object();
      open = true;
    }
    writer.key(index.index).begin_object();
    append_units(writer, index.units, purpose);
    writer.end_object();
  }
  if (open) {
    writer.end_object();
  }
}

void ConsumedUnits::append_json(json::Writer& writer, CapacityDetail detail, Purpose purpose) const {
  writer.begin_object().key("TableName").string(table_name_);
  append_units(writer, total(), purpose);
  if (detail == CapacityDetail::indexes) {
    writer.key("Table").begin_object();
    append_units(writer, table_, purpose);
    writer.end_object();
    append_indexes(writer, "LocalSecondaryIndexes", table::IndexKind::local, purpose);
    append_indexes(writer, "GlobalSecondaryIndexes", table::IndexKind::global, purpose);
  }
  writer.end_object();
}

ConsumedUnits& ConsumedByTable::of(std::string_view table_name) {
  const auto known = std::find_if(tables_.begin(), tables_.end(), [&](const ConsumedUnits& units) {
    return units.table_name() == table_name;
  });
  return known != tables_.end() ? *known : tables_.emplace_back(std::string(table_name));
}

void ConsumedByTable::append_json(json::Writer& writer, CapacityDetail detail,
                                  ConsumedUnits::Purpose purpose) const {
  if (detail == CapacityDetail::none) {
    return;
  }
  writer.key("ConsumedCapacity").begin_array();
  for (const auto& units : tables_) {
    units.append_json(writer, detail, purpose);
  }
  writer.end_array();
}

}  // namespace waybill::api::dynamodb
