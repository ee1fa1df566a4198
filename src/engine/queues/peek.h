#pragma once

#include <vector>

#include "base/result.h"
#include "engine/database.h"
#include "store/queues.h"

namespace waybill::engine::queues {

// What stands in a queue at this moment, in the order of the rows: messages without a group, then group by
// group, then those that are delayed. Error invalid where `request.after` is no place of this queue.
Result<std::vector<store::Peeked>> peek(const Database& database, const queue::Queue& queue,
                                        const store::PeekRequest& request, int64_t now_ms);

}  // namespace waybill::engine::queues
