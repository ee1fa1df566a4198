#pragma once

#include <string>

#include "base/result.h"
#include "queue/queue.h"
#include "rules/deployed.h"
#include "table/table.h"

namespace waybill::rules {

// The table that a contract describes, without space ids. Errors as of CreateTable.
Result<table::Table> make_table(const Deployed& deployed, int64_t now_ms);

// The same as a change of a table that is there: indexes are added, expiry, recovery and stream are switched
// on. Error invalid where its key is another: it cannot be brought under the contract.
Result<table::Table> adapt_table(const Deployed& deployed, const table::Table& present, int64_t now_ms);

// The queues of a kind of record, dead letters first.
Result<std::vector<queue::Queue>> make_queues(const Kind& kind, int64_t now_ms);

}  // namespace waybill::rules
