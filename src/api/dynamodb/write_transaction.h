#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "api/dynamodb/call.h"
#include "api/dynamodb/cancellation.h"
#include "api/dynamodb/capacity.h"
#include "api/dynamodb/write.h"
#include "store/store.h"

// A transaction of writes, from its actions to the answer: what TransactWriteItems and ExecuteTransaction
// share.
namespace waybill::api::dynamodb {

inline constexpr std::size_t request_token_length_max = 36;

struct WriteTransaction {
  store::Transaction transaction;
  std::vector<CancellationReason> reasons;  // of actions that do not fit their tables
  std::vector<bool> inserts;                // actions whose failed condition means that the item is there
  bool cancelled = false;
  uint64_t bytes = 0;
  CapacityDetail capacity = CapacityDetail::none;  // to be set before the first action
  bool metrics = false;
  WriteForm form = WriteForm::item;

  // A fault that shows only beside the table becomes a reason of the cancellation; any other is the
  // request's. The action's table is set.
  Status add(store::Action action, bool is_insert = false);

  // The same for an action about a message, which needs no table.
  void add_message(store::Action action);

  // What is wrong with all actions together. To be called when all are there.
  Status check_whole() const;
};

// Sends the transaction to the store, or cancels it at once, and answers the call with what comes of it.
void submit(Call call, WriteTransaction&& request);

}  // namespace waybill::api::dynamodb
