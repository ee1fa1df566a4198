#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "expression/key_condition.h"
#include "item/value.h"
#include "partiql/statement.h"
#include "table/range.h"
#include "table/table.h"

// What a WHERE clause asks of a key. Errors are of kind invalid and carry the service's texts.
namespace waybill::partiql {

// The one item that a statement is about, and what else it asks of it.
struct ItemAccess {
  item::Item key;  // the key attributes alone
  std::vector<Expression> conditions;
};

// Error where the clause does not say, joined by AND, what every key attribute equals.
Result<ItemAccess> find_item(const std::optional<Expression>& where, const table::KeySchema& key);

// A range of a table or index, and the filter for what is in it.
struct Slice {
  std::string partition = {};  // the encoded value; empty where all partitions are read
  table::KeyRange range = {};
  std::optional<Expression> filter = {};
};

// How a SELECT reads: a Query of each slice in turn, or a Scan of the one that holds everything.
//
// It is a Query where the clause, or each of the branches that an OR joins, has an equality or an IN on the
// partition key among the conditions that AND joins.
struct Access {
  bool is_query = false;
  bool has_branches = false;             // the clause is an OR
  std::size_t partition_conditions = 0;  // how many values the partition key is compared with
  std::vector<Slice> slices;             // of which no two overlap
};

Result<Access> find_slices(const std::optional<Expression>& where, const table::KeySchema& key);

// Puts the slices into the order that ORDER BY asks for. True: each is to be read forward.
Result<bool> settle_order(const Statement& statement, const table::KeySchema& key, Access& access);

}  // namespace waybill::partiql
