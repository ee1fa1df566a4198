#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "job/services.h"

namespace waybill::job {

// What only the moment of creation knows.
struct Birth {
  int64_t now_ms = 0;
  std::string id;  // for the id field, without its prefix
};

// A new record as it is given to the rules: with its id, the times that its key is made of, its first state,
// what is reserved, and its key. Errors of kind invalid: the key can't be made; `idempotency_key` and the
// field differ.
Result<item::Item> new_record(const Subject& subject, const item::Item& fields,
                              const std::optional<std::string>& idempotency_key, const Birth& birth);

// Whether the next try has another key: some of it is made by the system.
bool makes_key(const Subject& subject, item::ItemView fields);

}  // namespace waybill::job
