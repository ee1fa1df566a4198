#pragma once

#include "api/dynamodb/write.h"
#include "base/result.h"
#include "partiql/statement.h"
#include "store/store.h"

// INSERT, UPDATE and DELETE, and the EXISTS of transactions.
namespace waybill::api::dynamodb {

// The statement as a write that has its table, but has not been held against it. `action.kind` is check for
// EXISTS. Errors are told in the service's order as far as it is known.
Result<Write> decide_write(const store::Store& store, const partiql::Statement& statement);

}  // namespace waybill::api::dynamodb
