#pragma once

#include <string_view>

#include "api/dynamodb/call.h"
#include "api/dynamodb/transact_write_fields.h"
#include "base/result.h"
#include "store/store.h"

// Messages in a transaction of tables. An action whose table is called "queue:NAME", which no table can be,
// is about the queue of that name:
//   Put {MessageBody, …}                                        sends a message
//   Delete {ReceiptHandle}                                      deletes one that was received
//   Update {ReceiptHandle} "SET VisibilityTimeout = :seconds"   hides it for so long
//   ConditionCheck {ReceiptHandle} "attribute_exists(ReceiptHandle)"
// All but the first call the transaction off where the receive does not hold any more.
namespace waybill::api::dynamodb {

inline constexpr std::string_view queue_table_prefix = "queue:";

inline bool is_about_queue(const ActionFields& fields) {
  return fields.table_name && fields.table_name->starts_with(queue_table_prefix);
}

// `parsed`: the action as far as it was read without knowing a table.
Result<store::Action> make_message_action(const Call& call, const ActionFields& fields, store::Action parsed);

}  // namespace waybill::api::dynamodb
