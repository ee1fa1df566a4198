#pragma once

#include <optional>
#include <string>

#include "job/services.h"

namespace waybill::job {

struct CreateRequest {
  Subject subject;
  store::Author author;
  item::Item fields;  // of the record, as the contract has them; what the system fills may be left out
  std::optional<std::string> idempotency_key;  // as the request's header has it
  access::ReachPtr reach = nullptr;            // of the author; null: everything
};

struct Created {
  std::string id;
  item::Item record;
  bool repeated = false;  // the idempotency key was used before: this is the record of then
};

// Makes a record, with its id where the contract says how, in the state behind `enqueue` where there is one.
// Errors besides: record_exists; key_in_use where an idempotency key stands for a record that is gone or out
// of reach, or for a request with other fields; access_denied where the new one would be; quota_exceeded.
void create(const Services& services, CreateRequest request, Answer<Created> done);

}  // namespace waybill::job
