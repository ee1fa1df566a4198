#pragma once

#include "access/reach.h"
#include "api/jobs/call.h"
#include "api/jobs/operations.h"
#include "base/result.h"
#include "http/signature.h"

namespace waybill::api::jobs {

// What the caller may reach of a contract's records by an operation. Null: everything. Error access_denied
// where that is nothing, or where the operation is about records of everybody and the caller's reach is not.
Result<access::ReachPtr> reach_of(const http::VerifiedPrincipal& principal, const Operation& operation,
                                  const job::Subject& subject);

// Whether the record that the path names is in reach; not_found where it is not, as where there is none. A
// record's owner and tenant never change, so what holds now holds when the operation is carried out.
Status check_target(const Services& services, const access::Reach& reach, const job::Target& target);

// Whether a record that is to be made of these fields is in reach, as far as they tell.
Status check_new(const access::Reach& reach, const job::Subject& subject, const table::Table& table,
                 item::ItemView fields);

// Whether a change leaves alone what the reach goes by.
Status check_change(const access::Reach& reach, const json::Value& fields);

}  // namespace waybill::api::jobs
