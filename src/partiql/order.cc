#include <algorithm>
#include <utility>

#include "partiql/access.h"

namespace waybill::partiql {

namespace {

const OrderTerm* find_term(const Statement& statement, std::string_view attribute) {
  const auto found = std::find_if(statement.order.begin(), statement.order.end(),
                                  [&](const OrderTerm& term) { return term.path.is(attribute); });
  return found != statement.order.end() ? &*found : nullptr;
}

Status check_order(const Statement& statement, const table::KeySchema& key, const Access& access) {
  if (!statement.where) {
    return invalid("Must have WHERE clause in the statement when using ORDER BY clause.");
  }
  for (const auto& term : statement.order) {
    if (term.path.steps.size() != 1 || !key.has(term.path.top_level())) {
      return invalid("Attribute " + term.path.top_level() +
                     " in ORDER BY clause must be part of the primary key");
    }
  }
  if (!access.is_query) {
    return invalid(
        "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.");
  }
  if (access.partition_conditions > 1 && find_term(statement, key.partition.name) == nullptr) {
    return invalid(
        "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE "
        "clause.");
  }
  return {};
}

}  // namespace

Result<bool> settle_order(const Statement& statement, const table::KeySchema& key, Access& access) {
  if (statement.order.empty()) {
    return true;
  }
  WAYBILL_TRY(check_order(statement, key, access));
  const auto* partition = find_term(statement, key.partition.name);
  const auto* sort = key.sort ? find_term(statement, key.sort->name) : nullptr;
  // As with the service: where only the partition key is named, sort keys come in descending order.
  const bool forward = !key.sort || (sort != nullptr && !sort->descending);
  const bool descending = partition != nullptr && partition->descending;
  std::sort(access.slices.begin(), access.slices.end(), [&](const Slice& a, const Slice& b) {
    const int order =
        item::compare(item::ValueView(a.partition.data()), item::ValueView(b.partition.data())).value_or(0);
    if (order != 0) {
      return descending ? order > 0 : order < 0;
    }
    return forward ? a.range.begin < b.range.begin : b.range.begin < a.range.begin;
  });
  return forward;
}

}  // namespace waybill::partiql
