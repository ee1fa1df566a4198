#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "store/store.h"
#include "table/capacity.h"
#include "table/table.h"

// ConsumedCapacity in answers.
namespace waybill::api::dynamodb {

// ReturnConsumedCapacity.
enum class CapacityDetail : unsigned char { none, total, indexes };

CapacityDetail capacity_detail(const std::optional<std::string_view>& word);

using table::ReadUnits;
using table::transaction_factor;
using table::write_units;

// Counts a read that an answer is given to. Writes are counted by the store.
void count_read(const store::Store& store, table::SpaceId space, double units);

struct IndexUnits {
  std::string index;
  table::IndexKind kind = table::IndexKind::global;
  double units = 0;
};

// What a request used of one table and its indexes.
class ConsumedUnits {
 public:
  explicit ConsumedUnits(std::string table_name) : table_name_(std::move(table_name)) {}

  const std::string& table_name() const { return table_name_; }
  double total() const;

  void add_table(double units) { table_ += units; }
  void add_index(std::string_view index, table::IndexKind kind, double units);

  // A write as the store reports it. `table_factor`: the indexes of a transaction are written once.
  void add_write(const store::ActionResult& result, double table_factor = 1);

  // What the units were used for, where the answer says so: in transactions.
  enum class Purpose : unsigned char { unsaid, read, write };

  // {"TableName":…,"CapacityUnits":…,…}. Not called for CapacityDetail::none.
  void append_json(json::Writer& writer, CapacityDetail detail, Purpose purpose = Purpose::unsaid) const;

 private:
  void append_indexes(json::Writer& writer, std::string_view field, table::IndexKind kind,
                      Purpose purpose) const;

  std::string table_name_;
  double table_ = 0;
  std::vector<IndexUnits> indexes_;
};

// What a request used, table by table, in the order in which the tables were first named.
class ConsumedByTable {
 public:
  ConsumedUnits& of(std::string_view table_name);

  // "ConsumedCapacity":[…], or nothing for CapacityDetail::none.
  void append_json(json::Writer& writer, CapacityDetail detail,
                   ConsumedUnits::Purpose purpose = ConsumedUnits::Purpose::unsaid) const;

 private:
  std::vector<ConsumedUnits> tables_;
};

}  // namespace waybill::api::dynamodb
