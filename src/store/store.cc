#include "store/store.h"

namespace waybill::store {

Status Store::may_know(std::string_view table) const {
  static_cast<void>(table);
  return {};
}

void Store::set_rules(std::string table, RulesPtr rules, RulesAre are, UniqueFunction<void(Status)> done) {
  static_cast<void>(are);
  static_cast<void>(table);
  static_cast<void>(rules);
  done(Error{ErrorKind::unsupported, "This store does not hold tables to rules", {}});
}

Status Queues::may_know(std::string_view name) const {
  static_cast<void>(name);
  return {};
}

Result<int64_t> Store::counter(std::string_view name) const {
  static_cast<void>(name);
  return int64_t{0};
}

void Store::follow(std::string table, Follower follower) {
  static_cast<void>(table);
  static_cast<void>(follower);
}

}  // namespace waybill::store
