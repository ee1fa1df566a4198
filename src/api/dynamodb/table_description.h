#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/dynamodb/call.h"
#include "store/store.h"
#include "table/create_rules.h"
#include "table/table.h"

// A table in the words of the service: what CreateTable, DescribeTable, UpdateTable and DeleteTable answer.
namespace waybill::api::dynamodb {

struct TableStats {
  store::Stats table;
  std::vector<store::Stats> indexes;  // in the order of the table's indexes; empty: all 0
};

TableStats read_stats(const store::Store& store, const table::Table& table);

struct DescriptionOptions {
  std::string_view status = "ACTIVE";              // of the table
  std::string_view index_status = "ACTIVE";        // of global indexes that are not being filled
  bool with_deletion_protection = true;            // CreateTable leaves it out where it was not mentioned
  std::optional<table::CapacityUnits> units_were;  // UpdateTable still shows the units of before
};

// "ACTIVE", "UPDATING" while an index is being filled, "CREATING" while the items of a restored table come
// in, or "DELETING" while the last backup of a table is made.
std::string_view current_status(const table::Table& table);

// {"<member>":{"TableName":…}}
std::string table_description(std::string_view member, const Services& services, const table::Table& table,
                              const TableStats& stats, const DescriptionOptions& options);

// A moment as the service writes it: seconds since 1970 with a fraction.
void write_time(json::Writer& out, int64_t ms);

}  // namespace waybill::api::dynamodb
