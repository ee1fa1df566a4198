#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/dynamodb/capacity.h"
#include "base/result.h"
#include "expression/condition.h"
#include "expression/projection.h"
#include "store/store.h"

// One page of a Query or Scan: what is read, and how it becomes an answer.
namespace waybill::api::dynamodb {

inline constexpr uint64_t page_bytes_max = 1024 * 1024;

// What a Query or Scan comes down to.
struct PageRequest {
  store::Range range;
  std::optional<int64_t> limit;  // of entries looked at, before the filter
  std::optional<expression::Condition> filter;
  std::optional<expression::Projection> projection;
  bool count_only = false;
  bool fetch_items = false;  // a local index lacks what is asked for: take the items from the table
  ReadUnits units;
  CapacityDetail capacity = CapacityDetail::none;
};

// Reads the page and writes the whole answer, items straight from their stored form.
Result<std::string> read_page(const store::Store& store, const PageRequest& request);

}  // namespace waybill::api::dynamodb
