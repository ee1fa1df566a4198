#pragma once

#include <optional>
#include <vector>

#include "api/dynamodb/call.h"
#include "api/dynamodb/cancellation.h"
#include "api/dynamodb/capacity.h"
#include "base/result.h"
#include "expression/projection.h"
#include "store/store.h"

// A transaction of reads, from its keys to the answer: what TransactGetItems and ExecuteTransaction share.
namespace waybill::api::dynamodb {

struct ReadTransaction {
  std::vector<store::GetRequest> gets;
  std::vector<std::optional<expression::Projection>> projections;
  std::vector<CancellationReason> reasons;  // of keys that do not fit their tables
  bool cancelled = false;
  CapacityDetail capacity = CapacityDetail::none;

  // A key that does not fit its table becomes a reason of the cancellation.
  void add(table::TablePtr table, item::ItemView key, std::optional<expression::Projection> projection);

  // No item twice. To be called when all are there.
  Status check_distinct() const;
};

// Reads all of it as of one moment and answers the call.
void answer(Call call, const ReadTransaction& request);

}  // namespace waybill::api::dynamodb
