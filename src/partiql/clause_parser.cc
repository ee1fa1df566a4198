#include <algorithm>
#include <string>
#include <utility>

#include "partiql/parser.h"

namespace waybill::partiql {

Status Parser::parse_columns(Statement& statement) {
  bool all = false;
  do {
    if (accept("*")) {
      all = true;
      continue;
    }
    WAYBILL_TRY_ASSIGN(auto column, parse_sum());
    if (column.kind != Expression::Kind::path) {
      note(invalid("Unexpected path component " + column.position.printed()));
      continue;
    }
    statement.columns.push_back(std::move(column.path));
    skip_alias();
  } while (accept(","));
  if (all && !statement.columns.empty()) {
    note(invalid("Other attributes should not be present in the projection when '*' is used."));
  }
  return {};
}

// The table of a statement that changes something.
Status Parser::parse_target(Statement& statement) {
  return at_name() ? parse_source(statement) : not_well_formed("Expected identifier for simple path");
}

Status Parser::parse_source(Statement& statement) {
  const Position position = token().position;
  WAYBILL_TRY_ASSIGN(auto path, parse_path());
  const auto is_index = [](const PathStep& step) { return step.index.has_value(); };
  if (std::any_of(path.steps.begin(), path.steps.end(), is_index)) {
    return not_well_formed("Invalid path dot component");
  }
  if (path.steps.size() > 2) {
    note(invalid("A path may contain at most 2 components in the FROM clause"));
  }
  statement.source.table = std::move(path.steps[0].name);
  if (path.steps.size() > 1) {
    statement.source.index = std::move(path.steps[1].name);
  }
  check_source(statement, position);
  if (statement.kind != Statement::Kind::insert) {
    skip_alias();
  }
  return {};
}

void Parser::check_source(const Statement& statement, const Position& position) {
  const auto& index = statement.source.index;
  if (statement.source.table.empty() || (index && index->empty())) {
    note(invalid("Path component cannot be an empty string"));
  }
  if (index && statement.kind == Statement::Kind::insert) {
    note(invalid("FROM clause may only contain a single table name in data manipulation statements " +
                 position.printed()));
  } else if (index && statement.kind != Statement::Kind::select) {
    note(invalid("This operation is not supported on an index"));
  }
}

void Parser::skip_alias() {
  const bool named = accept_keyword("AS");
  // RETURNING is no keyword of PartiQL, but no alias either.
  if (at_name() && !token().is_keyword("RETURNING")) {
    advance();
    note(invalid("Aliasing is not supported"));
  } else if (named) {
    note(not_well_formed("Expected identifier for alias"));
  }
}

Status Parser::parse_where(Statement& statement) {
  if (accept_keyword("WHERE")) {
    WAYBILL_TRY_ASSIGN(statement.where, parse_condition());
  }
  return {};
}

Status Parser::parse_order(Statement& statement) {
  if (!accept_keyword("ORDER")) {
    return {};
  }
  WAYBILL_TRY(expect_keyword("BY"));
  do {
    OrderTerm term;
    WAYBILL_TRY_ASSIGN(auto key, parse_sum());
    if (key.kind != Expression::Kind::path) {
      note(invalid("Unexpected path component " + key.position.printed()));
    }
    term.path = std::move(key.path);
    term.descending = accept_keyword("DESC");
    if (!term.descending) {
      accept_keyword("ASC");
    }
    statement.order.push_back(std::move(term));
  } while (accept(","));
  return {};
}

Status Parser::parse_changes(Statement& statement) {
  for (;;) {
    const bool sets = accept_keyword("SET");
    if (!sets && !accept_keyword("REMOVE")) {
      break;
    }
    do {
      WAYBILL_TRY(parse_change(statement, sets));
    } while (accept(","));
  }
  return statement.changes.empty() ? not_well_formed(no_manipulation) : Status();
}

Status Parser::parse_change(Statement& statement, bool sets) {
  Change change;
  if (!at_name()) {
    return unexpected_term();
  }
  WAYBILL_TRY_ASSIGN(change.target, parse_path());
  if (sets) {
    WAYBILL_TRY(expect("="));
    WAYBILL_TRY_ASSIGN(change.value, parse_sum());
  }
  statement.changes.push_back(std::move(change));
  return {};
}

Status Parser::parse_returning(Statement& statement) {
  if (!accept_keyword("RETURNING")) {
    return {};
  }
  Returning returning;
  returning.modified = accept_keyword("MODIFIED");
  if (!returning.modified) {
    WAYBILL_TRY(expect_keyword("ALL"));
  }
  returning.old = accept_keyword("OLD");
  if (!returning.old) {
    WAYBILL_TRY(expect_keyword("NEW"));
  }
  WAYBILL_TRY(expect("*"));
  statement.returning = returning;
  return {};
}

}  // namespace waybill::partiql
