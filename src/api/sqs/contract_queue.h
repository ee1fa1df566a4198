#pragma once

#include <string_view>

#include "api/sqs/call.h"
#include "base/result.h"
#include "queue/settings.h"

// Queues that a contract in force works with. Each of their messages is the only sign that a record waits for
// a worker: what would lose them all without a word is refused, and the error says what to do.
namespace waybill::api::sqs {

Status check_removal(const Call& call, std::string_view queue);

// Dead letters may be purged: their records have been given up, and tell so themselves.
Status check_purge(const Call& call, std::string_view queue);

// Whether the contract's queue would still be what the contract says: it keeps messages for as long, and
// gives them up as often and to where.
Status check_settings(const Call& call, const queue::Queue& queue, const queue::Attributes& changes);

}  // namespace waybill::api::sqs
