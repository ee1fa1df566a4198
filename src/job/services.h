#pragma once

#include <string>

#include "access/reach.h"
#include "base/clock.h"
#include "base/entropy.h"
#include "base/result.h"
#include "base/ulid.h"
#include "base/unique_function.h"
#include "item/value.h"
#include "rules/deployed.h"
#include "store/store.h"

// Operations on records of contracts that are in force: each is one transaction on the store, or a few.
//
// What comes with a change (messages, journal, mirrors, computed fields, idempotency keys, counters) is done
// by the rules inside the commit; here it is decided what the change is.
//
// Thread safety: every operation may be called from any thread, and reads from the store there. Answers may
// come within the call or on a thread of the store's: they must not block.
//
// Errors that any of them can have:
//   not_found         there is no such record
//   invalid           the request breaks a rule of shape; detail: the field's path, where it is about one
//   condition_failed  the record's state does not allow it; detail: the rule's name ("moves", "ends" …)
//   version_mismatch  the record is another than the caller has seen (If-Match)
//   lease_lost        the lease is over, or was never one of this record's
//   unsupported       the contract says nothing of such an operation on such a record
//   unavailable, corruption  of the store
namespace waybill::job {

// What all operations work with. It all outlives the answers of the operations it was given to.
struct Services {
  store::Store& store;
  const Clock& clock;
  Entropy& entropy;
  UlidMaker& ulids;
};

// A kind of record of a contract.
struct Subject {
  rules::DeployedPtr contract;
  const rules::Kind* kind = nullptr;  // of that contract

  const contract::Record& record() const { return *kind->record; }
};

// One record, and who wants something of it. An author's operation is filled in by the operation itself.
struct Target {
  Subject subject;
  std::string id;  // rules::id_of
  store::Author author;
  access::ReachPtr reach = nullptr;  // of the author; null: everything. A record out of it is not there
};

template <typename Value>
using Answer = UniqueFunction<void(Result<Value>)>;

// A record after an operation.
struct Changed {
  item::Item record;
  bool repeated = false;  // it was so before, and nothing was done
};

}  // namespace waybill::job
