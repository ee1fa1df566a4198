#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "job/services.h"
#include "queue/message.h"
#include "queue/receipt.h"

namespace waybill::job {

// A worker's hold on a record: the receive of its message.
struct Lease {
  std::string token;     // queue::encode of the receipt: what the worker shows
  uint64_t fence = 0;    // greater than that of every earlier lease
  int64_t until_ms = 0;  // since 1970; then others may have the record
};

inline constexpr int64_t lease_ms_max = 12LL * 60 * 60 * 1000;

Lease lease_of(const queue::Receipt& receipt, int64_t until_ms);

// What a worker holds by a token.
struct Held {
  queue::Receipt receipt;
  queue::Message message;
  int64_t receives = 0;  // how often the message was given out
};

// The message of a lease on a record. Error lease_lost where there is no such message any more, or it
// is about another record. Whether the receive still holds is decided by the commit.
Result<Held> find_held(const Services& services, const Subject& subject, item::ItemView record,
                       std::string_view token);

// The receive alone, for those who need nothing of the message: it is not read where the record was claimed
// by the token.
Result<queue::Receipt> find_receipt(const Services& services, const Subject& subject, item::ItemView record,
                                    std::string_view token);

// By which message a record was claimed last (rules::leases_table).
struct LastClaim {
  table::TablePtr table;
  item::Item key;                 // of the row
  std::optional<item::Item> row;  // nothing: it was never claimed
  bool was_released = false;      // and its worker has given it back since
  // By another message, which is still there: the one that asks is a second message of the record, and two
  // workers would have it at once.
  bool is_others = false;
};
Result<LastClaim> find_last_claim(const Services& services, const Subject& subject, item::ItemView key,
                                  const queue::Receipt& receipt);

// Notes the claim by this receipt, as long as no other was noted since.
store::Action note_claim(const LastClaim& last, const queue::Receipt& receipt);

// Notes that the worker of this token has given the record back. Nothing where it was not claimed by it, but
// received from the queue itself.
Result<std::optional<store::Action>> note_release(const Services& services, const Subject& subject,
                                                  item::ItemView record, std::string_view token);

// For how long a lease is to be: as asked for, or as the queue has it. Error invalid where it is out of
// bounds.
Result<int64_t> lease_ms_of(const Services& services, const Subject& subject,
                            const std::optional<int64_t>& wanted_ms);

// Error unsupported where the contract says nothing of work on such records, unavailable where the store has
// no queues.
Status check_work(const Services& services, const Subject& subject);

}  // namespace waybill::job
