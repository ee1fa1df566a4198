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

// Whether the record that the path names is in reach; not_found where it is not, as where there is none.
Status check_target(const Services& services, const job::Target& target);

// Whether all records of a tenant are in reach.
Status check_tenant(const Services& services, const access::Reach& reach, const job::Subject& subject,
                    std::string_view tenant);

// Whether a change leaves alone what the reach goes by.
Status check_change(const access::Reach& reach, const json::Value& fields);

}  // namespace waybill::api::jobs
