#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "job/services.h"
#include "queue/receipt.h"

namespace waybill::job {

// How many dead letters are looked at to find that of one record.
inline constexpr std::size_t dead_letters_looked_at_max = 10'000;

// By what the dead letter of a record is deleted, where one is found that nobody holds. Blocks for the disk
// alone.
Result<std::optional<queue::Receipt>> find_dead_letter(const Services& services, const Subject& subject,
                                                       item::ItemView record);

// What names a message that nobody holds (store::Settlement).
queue::Receipt receipt_of(const queue::Queue& queue, const store::Peeked& peeked);

}  // namespace waybill::job
