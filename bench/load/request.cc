#include "load/request.h"

namespace waybill::load {
namespace {

// In the order of Operation.
constexpr std::array<std::string_view, 26> names = {
    "create",         "load",         "get",        "put",   "put_new", "update", "delete",  "query",
    "transact_write", "batch_write",  "batch_get",  "scan",  "raw",     "send",   "receive", "round_trip",
    "steps",          "wake",         "create_job", "claim", "step",    "finish", "ask",     "lifecycle",
    "load_finished",  "claim_latency"};

}  // namespace

std::string_view name_of(Operation operation) {
  return names[static_cast<std::size_t>(operation)];
}

std::optional<Operation> operation_named(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) {
      return static_cast<Operation>(i);
    }
  }
  return std::nullopt;
}

bool writes(Operation operation) {
  switch (operation) {
    case Operation::load:
    case Operation::put:
    case Operation::put_new:
    case Operation::update:
    case Operation::remove:
    case Operation::transact_write:
    case Operation::batch_write:
      return true;
    default:
      return false;
  }
}

}  // namespace waybill::load
