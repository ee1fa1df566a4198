#include "job/lease.h"

#include <utility>

#include "job/actions.h"
#include "job/envelope.h"
#include "rules/system_tables.h"
#include "table/key.h"

namespace waybill::job {

namespace {

Error lost(const std::string& why) {
  return {ErrorKind::lease_lost, "The lease does not hold: " + why, {}};
}

// The row of a record in rules::leases_table: its key, and what is there.
struct LeaseRow {
  table::TablePtr table;
  item::Item key;
  std::optional<item::Item> row;
};

Result<LeaseRow> find_row(const Services& services, const Subject& subject, item::ItemView key) {
  LeaseRow found;
  found.table = services.store.find_table(rules::leases_table);
  if (found.table == nullptr) {
    return Error{ErrorKind::unavailable, "The system's tables are not there", {}};
  }
  Draft row{item::Item()};
  row.set_text({"record"}, rules::path_of(*subject.contract, *subject.kind, key).value_or(""));
  found.key = row.result();
  WAYBILL_TRY_ASSIGN(
      auto stored, services.store.get(*found.table, table::primary_key(found.table->key, found.key.view())));
  if (stored) {
    found.row = std::move(stored->item);
  }
  return found;
}

std::string_view receipt_in(const item::Item& row) {
  const auto value = row.view().find("receipt");
  return value && value->type() == item::Type::string ? value->bytes() : std::string_view();
}

}  // namespace

Lease lease_of(const queue::Receipt& receipt, int64_t until_ms) {
  return {queue::encode(receipt), receipt.token, until_ms};
}

Result<Held> find_held(const Services& services, const Subject& subject, item::ItemView record,
                       std::string_view token) {
  auto receipt = queue::decode_receipt(token);
  const auto queue = services.store.queues()->find(subject.kind->queue);
  if (!receipt || queue == nullptr || receipt->space != queue->space) {
    return lost("the token is none of queue " + subject.kind->queue);
  }
  WAYBILL_TRY_ASSIGN(auto found, services.store.queues()->look(*receipt));
  if (!found) {
    return lost("its message is gone");
  }
  const auto key = key_of_message(subject, found->message.body);
  const auto meant = key ? rules::id_of(*subject.kind, key->view()) : std::nullopt;
  if (!meant || meant != rules::id_of(*subject.kind, record)) {
    return lost("it is one on another record");
  }
  return Held{*std::move(receipt), std::move(found->message), found->receive_count};
}

Result<queue::Receipt> find_receipt(const Services& services, const Subject& subject, item::ItemView record,
                                    std::string_view token) {
  WAYBILL_TRY_ASSIGN(const auto claimed, find_row(services, subject, record));
  if (claimed.row && receipt_in(*claimed.row) == token) {
    if (auto receipt = queue::decode_receipt(token)) {
      return *std::move(receipt);
    }
  }
  WAYBILL_TRY_ASSIGN(auto held, find_held(services, subject, record, token));
  return std::move(held.receipt);
}

Result<LastClaim> find_last_claim(const Services& services, const Subject& subject, item::ItemView key,
                                  const queue::Receipt& receipt) {
  WAYBILL_TRY_ASSIGN(auto found, find_row(services, subject, key));
  LastClaim last{std::move(found.table), std::move(found.key), std::move(found.row)};
  if (!last.row) {
    return last;
  }
  last.was_released = last.row->view().find("released").has_value();
  const auto before = queue::decode_receipt(receipt_in(*last.row));
  if (before && (before->space != receipt.space || before->sequence != receipt.sequence)) {
    WAYBILL_TRY_ASSIGN(const auto message, services.store.queues()->look(*before));
    last.is_others = message.has_value();
  }
  return last;
}

store::Action note_claim(const LastClaim& last, const queue::Receipt& receipt) {
  Draft draft{last.row.value_or(last.key)};
  draft.text({"receipt"});
  draft.set_text({"receipt"}, queue::encode(receipt));
  if (last.was_released) {
    draft.remove({"released"});
  }
  return last.row ? change_of(last.table, last.key, draft) : creation_of(last.table, draft.result());
}

Result<std::optional<store::Action>> note_release(const Services& services, const Subject& subject,
                                                  item::ItemView record, std::string_view token) {
  WAYBILL_TRY_ASSIGN(auto found, find_row(services, subject, record));
  if (!found.row || receipt_in(*found.row) != token) {
    return std::optional<store::Action>();
  }
  Draft draft{*std::move(found.row)};
  draft.text({"receipt"});
  draft.set_text({"released"}, "yes");
  return std::optional(change_of(found.table, found.key, draft));
}

Result<int64_t> lease_ms_of(const Services& services, const Subject& subject,
                            const std::optional<int64_t>& wanted_ms) {
  const auto queue = services.store.queues()->find(subject.kind->queue);
  if (queue == nullptr) {
    return Error{ErrorKind::unavailable, "The contract's queue " + subject.kind->queue + " is not there", {}};
  }
  const int64_t lease_ms = wanted_ms.value_or(queue->settings.visibility_ms);
  if (lease_ms < 1 || lease_ms > lease_ms_max) {
    return Error{ErrorKind::invalid, "A lease is 1 second to 12 hours long", "lease_s"};
  }
  return lease_ms;
}

Status check_work(const Services& services, const Subject& subject) {
  const auto& record = subject.record();
  if (!record.status || !record.work || !record.work->claim || subject.kind->queue.empty()) {
    return Error{ErrorKind::unsupported,
                 "Contract " + subject.contract->contract.name + " says nothing of work on a " + record.name,
                 {}};
  }
  if (services.store.queues() == nullptr) {
    return Error{ErrorKind::unavailable, "This store keeps no queues", {}};
  }
  return {};
}

}  // namespace waybill::job
