#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/entropy.h"
#include "base/result.h"
#include "store/store.h"

// Tables of the system's own. Their names have a colon, which no client can give to a table, and they are in
// no list that clients see.
namespace waybill::rules {

// What happened to records, and the events that are to be told: one row each.
//   record   S   partition key: "orchestrator/job/ID", as path_of() has it
//   seq      N   sort key: rises with every row of any record
//   at       N   milliseconds since 1970
//   actor    S   who
//   action   S   "created", "moved", "changed", "removed", "expired", "refused", or the operation of the jobs
//                API: "claim", "step", "finish" …
//   from,to  S   states, where it changed
//   why      S   where somebody said
//   rule     S   of "refused": what stood against it
//   event    S   the event's type, where there is one
//   data     M   of the event
//   outbox   M   where the contract has records of role outbox: {table S, and the key of the event's item}
//   pending  S   the contract's name, until the event is told everywhere or given up on: index `pending` by
//                (pending, seq)
//   parked   S   the contract's name, once somebody will not be told: index `parked` by (parked, seq)
//   targets, published   how far it has come: event/progress.h
//   ttl      N   seconds since 1970
inline constexpr std::string_view journal_table = "waybill:journal";
inline constexpr std::string_view pending_index = "pending";
inline constexpr std::string_view parked_index = "parked";

// Which records have a tag: (tag S name_of_row(…, TAG), place S "NEWEST_BY/ID"), with `id` S.
inline constexpr std::string_view tags_table = "waybill:tags";

// Idempotency keys that are in use: (key S name_of_row(…, KEY)), `id` S of the record, `ttl` N; of those that
// came in a header also `digest` S of the request's fields.
inline constexpr std::string_view keys_table = "waybill:keys";

// Records whose time is over and that wait for the archive: (contract S, seq N), `item` M, `record` S.
inline constexpr std::string_view archive_table = "waybill:archive";

// The end of each audit trail: (trail S "contract/VALUE"), `hash` S, `count` N.
inline constexpr std::string_view trails_table = "waybill:trails";

// Who has a record for work: (record S "orchestrator/job/ID"), `receipt` S (queue/receipt.h) of the last
// claim; `released` S where its worker has given it back. As long as its message is there, other messages
// about the record are not claimed.
inline constexpr std::string_view leases_table = "waybill:leases";

// Buckets: (kind S "bucket", name S), `created` N milliseconds since 1970; and where a contract says so its
// name as `contract` S, `size_max` N bytes, `types` L of S, `expires` N seconds.
inline constexpr std::string_view buckets_table = "waybill:buckets";

// Objects: (bucket S, key S). What else is in a row is said by bucket/object_row.h; `content` S is its file
// (object/content_id.h) and index `content`, `expires` N its time to live in seconds since 1970.
inline constexpr std::string_view objects_table = "waybill:objects";
inline constexpr std::string_view content_index = "content";

// Uploads in parts that are under way: (bucket S, place S key NUL id); see bucket/upload_row.h. `expires` N
// is when one that nobody completes is given up.
inline constexpr std::string_view uploads_table = "waybill:uploads";

// Their parts: (upload S id, number N), `content` S as that of objects; see bucket/upload_row.h.
inline constexpr std::string_view parts_table = "waybill:parts";

// What nobody can reach any more, and is taken away next: (what S "content/ID" or "upload/ID"), `at` N.
inline constexpr std::string_view freed_table = "waybill:freed";

// Who waits for an object: (object S "BUCKET/KEY"), `waiting` M by the record's path; see rules/arrival.h.
inline constexpr std::string_view arrivals_table = "waybill:arrivals";

// Which versions there are of what is kept in the latest few: (series S "contract/record" and the length and
// the value of each field of the key but for the version), `versions` S "7,8,12".
inline constexpr std::string_view versions_table = "waybill:versions";

// "contract/record/WITHIN/LAST", where no WITHIN goes on into LAST: "/" and "%" in it are %2F and %25.
std::string name_of_row(std::string_view contract, std::string_view record, std::string_view within,
                        std::string_view last);

// Counters of records: exact, kept by the commit. Read with Store::counter.
std::string count_of_state(std::string_view contract, std::string_view record, std::string_view state);
std::string count_of_state(std::string_view contract, std::string_view record, std::string_view state,
                           std::string_view tenant);

// All records of a tenant, of whatever state; and those that were made on a day, "2027-01-15".
std::string count_of_tenant(std::string_view contract, std::string_view record, std::string_view tenant);
std::string count_of_day(std::string_view contract, std::string_view record, std::string_view tenant,
                         std::string_view day);

// What the names of all counts of days begin with, and the last day that something was counted on, in days
// since 1970: with the first record of a later one all counts of days go, whose days are over then.
inline constexpr std::string_view counts_of_days = "day/";
inline constexpr std::string_view last_counted_day = "last-day";

// Objects of a bucket, those included whose time is over and that nobody has swept away yet.
std::string count_of_objects(std::string_view bucket);

// How often a rule stood against a change.
std::string count_of_refusals(std::string_view contract, std::string_view record, std::string_view rule);

inline bool is_system_table(std::string_view name) {
  return name.find(':') != std::string_view::npos;
}

// Makes those that are not there yet. Blocks its caller.
Status make_system_tables(store::Store& store, int64_t now_ms, Entropy& entropy);

}  // namespace waybill::rules
