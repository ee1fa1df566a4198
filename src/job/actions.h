#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "job/draft.h"
#include "job/services.h"
#include "queue/message.h"

// Steps of transactions. Pure.
namespace waybill::job {

// The change of a record under the key that `key` has; a mere check where the draft changes nothing.
store::Action change_of(const table::TablePtr& table, const item::Item& key, const Draft& draft);

// The record goes; the draft says what must be so.
store::Action removal_of(const table::TablePtr& table, const item::Item& key, const Draft& draft);
// A new record, which must not be there yet.
store::Action creation_of(const table::TablePtr& table, item::Item record);

// Nothing is done, but the receive must still hold.
store::Action hold(const std::string& queue, const queue::Receipt& receipt);
// The message is deleted, or hidden for so long.
store::Action settle(const std::string& queue, const queue::Receipt& receipt,
                     std::optional<int64_t> visibility_ms = {});
// The message is hidden for so long; where the receive does not count, as if it had never been.
store::Action give_back(const std::string& queue, const queue::Receipt& receipt, int64_t visibility_ms,
                        bool counts);
store::Action send(const std::string& queue, const queue::Message& message);

std::shared_ptr<const store::Author> author_of(store::Author author, std::string_view operation);

}  // namespace waybill::job
