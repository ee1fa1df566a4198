#pragma once

#include "expression/terms.h"
#include "partiql/statement.h"

namespace waybill::partiql {

// A path among the terms of an expression.
inline expression::PathId add_path(expression::Terms& terms, const Path& path) {
  auto id = terms.begin_path();
  for (const auto& step : path.steps) {
    if (step.index) {
      terms.add_index(id, *step.index);
    } else {
      terms.add_name(id, step.name);
    }
  }
  return id;
}

}  // namespace waybill::partiql
