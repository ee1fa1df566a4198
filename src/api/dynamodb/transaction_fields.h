#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/dynamodb/constraints.h"
#include "api/dynamodb/fields.h"
#include "base/result.h"

// TransactItems of both kinds of transaction.
namespace waybill::api::dynamodb {

inline constexpr std::size_t transaction_actions_max = 100;
inline constexpr uint64_t transaction_bytes_max = 4 * 1024 * 1024;

struct TransactItems {
  std::vector<Fields> taken;  // one more than allowed at most
  std::size_t count = 0;
  bool given = false;

  void check(Constraints& constraints) const;
};

TransactItems read_transact_items(const Fields& request);

// The structure of an action inside its element, "Put": {…}; nullopt where it is not given.
std::optional<Fields> read_action(const Fields& element, std::string_view name);

Status check_transaction_bytes(uint64_t bytes);

// What makes two requests the same: a hash of their parameters, whatever the order of members and whatever
// stands beside them. Every action of `elements` is an object.
std::string fingerprint_of(const std::vector<Fields>& elements);

}  // namespace waybill::api::dynamodb
