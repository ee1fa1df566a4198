#pragma once

#include <cstdint>
#include <optional>
#include <span>
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

// What several ranges of one table or index come to, read one after the other as one page.
struct RangesPage {
  std::string items;               // as JSON, with commas between them
  item::Item last_key;             // the key attributes to go on from; empty where all was read
  std::size_t last_key_range = 0;  // and the range that they are in
  ConsumedUnits consumed;
};

// The requests differ in range and filter alone; there is at least one.
Result<RangesPage> read_ranges(const store::Store& store, std::span<const PageRequest> requests);

}  // namespace waybill::api::dynamodb
