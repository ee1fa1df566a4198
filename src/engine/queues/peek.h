#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "engine/database.h"
#include "store/queues.h"

namespace waybill::engine::queues {

// What stands in a queue at this moment, in the order of the rows: messages without a group, then group by
// group, then those that are delayed. Error invalid where `request.after` is no place of this queue.
Result<std::vector<store::Peeked>> peek(const Database& database, const queue::Queue& queue,
                                        const store::PeekRequest& request, int64_t now_ms);

// One message, by the place that a receipt names; nothing where there is none that waits or is in flight.
Result<std::optional<store::Peeked>> look(const Database& database, const queue::Receipt& receipt,
                                          int64_t now_ms);

}  // namespace waybill::engine::queues
