#pragma once

#include <optional>
#include <vector>

#include "api/dynamodb/page.h"
#include "base/result.h"
#include "expression/projection.h"
#include "partiql/statement.h"
#include "store/store.h"

// SELECT: a Query or a Scan, or where a batch or a transaction asks for it the read of one item.
namespace waybill::api::dynamodb {

// What the statement reads, in turn: one range for a Scan, one for each partition and range of a Query. Limit
// and capacity are not set. Errors are told in the service's order as far as it is known.
Result<std::vector<PageRequest>> decide_select(const store::Store& store, const partiql::Statement& statement,
                                               bool consistent);

// Goes on behind `last_key` in the range of that number; what comes before it is left out. Error invalid
// where these can't be from an answer to the same statement.
Status resume(std::vector<PageRequest>& requests, std::size_t range, item::ItemView last_key);

// A SELECT that names its item by the whole primary key, and nothing else.
struct ItemRead {
  table::TablePtr table;
  item::Item key;
  std::optional<expression::Projection> projection;
};

// `operation` is named where the statement does not name one item: "BatchExecuteStatement".
Result<ItemRead> decide_item_read(const store::Store& store, const partiql::Statement& statement,
                                  std::string_view operation);

}  // namespace waybill::api::dynamodb
