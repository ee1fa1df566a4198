#include "partiql/parser.h"

#include <string>
#include <utility>

namespace waybill::partiql {

namespace {

constexpr std::string_view leftover = "Unexpected token after expression";

// What the service calls an expression that stands where a statement should.
std::string_view operation_name(Expression::Kind kind) {
  switch (kind) {
    case Expression::Kind::path:
      return "Path";
    case Expression::Kind::value:
    case Expression::Kind::missing:
      return "Literal";
    case Expression::Kind::call:
      return "Call";
    case Expression::Kind::is_type:
      return "IsType";
    case Expression::Kind::between:
      return "Between";
    case Expression::Kind::in:
      return "InCollection";
    case Expression::Kind::negate:
      return "Not";
    case Expression::Kind::all:
      return "And";
    case Expression::Kind::any:
      return "Or";
    case Expression::Kind::arithmetic:
    case Expression::Kind::comparison:
      break;
  }
  return "Operator";
}

}  // namespace

std::string Returning::printed() const {
  return std::string("RETURNING ") + (modified ? "MODIFIED " : "ALL ") + (old ? "OLD" : "NEW") + " *";
}

Result<Statement> parse_statement(std::string_view text, std::span<const item::ValueView> parameters) {
  WAYBILL_TRY_ASSIGN(auto tokens, tokenize(text));
  return Parser(std::move(tokens), parameters).parse();
}

Result<Statement> Parser::parse() {
  WAYBILL_TRY_ASSIGN(auto statement, parse_any());
  accept(";");
  if (token().kind != TokenKind::end) {
    return not_well_formed(leftover);
  }
  if (parameters_used_ != parameters_.size()) {
    return invalid("Number of parameters in request and statement don't match.");
  }
  if (noted_) {
    return *std::move(noted_);
  }
  return statement;
}

bool Parser::accept(std::string_view symbol) {
  if (!token().is(symbol)) {
    return false;
  }
  advance();
  return true;
}

bool Parser::accept_keyword(std::string_view upper) {
  if (!token().is_keyword(upper)) {
    return false;
  }
  advance();
  return true;
}

Status Parser::expect(std::string_view symbol) {
  return accept(symbol) ? Status() : not_well_formed("Expected " + std::string(symbol));
}

Status Parser::expect_keyword(std::string_view upper) {
  return accept_keyword(upper) ? Status() : not_well_formed("Expected " + std::string(upper));
}

void Parser::note(Error error) {
  if (!noted_) {
    noted_ = std::move(error);
  }
}

Result<Statement> Parser::parse_any() {
  Statement statement;
  Status parsed;
  if (accept_keyword("SELECT")) {
    parsed = parse_select(statement);
  } else if (accept_keyword("INSERT")) {
    parsed = parse_insert(statement);
  } else if (accept_keyword("UPDATE")) {
    parsed = parse_update(statement);
  } else if (accept_keyword("DELETE")) {
    parsed = parse_delete(statement);
  } else if (accept_keyword("FROM")) {
    parsed = parse_from_first(statement);
  } else if (token().is_keyword("EXISTS") && following().is("(")) {
    parsed = parse_exists(statement);
  } else {
    parsed = refuse_expression();
  }
  WAYBILL_TRY(std::move(parsed));
  return statement;
}

// An expression is well formed, but it is no statement.
Status Parser::refuse_expression() {
  if (at_end()) {
    return not_well_formed(no_manipulation);
  }
  WAYBILL_TRY_ASSIGN(const auto expression, parse_condition());
  note(invalid("Unsupported operation: " + std::string(operation_name(expression.kind))));
  return {};
}

Status Parser::parse_select(Statement& statement) {
  statement.kind = Statement::Kind::select;
  WAYBILL_TRY(parse_columns(statement));
  WAYBILL_TRY(expect_keyword("FROM"));
  if (!at_name()) {
    return unexpected_term();
  }
  WAYBILL_TRY(parse_source(statement));
  WAYBILL_TRY(parse_where(statement));
  WAYBILL_TRY(parse_order(statement));
  if (accept_keyword("LIMIT")) {
    WAYBILL_TRY_ASSIGN(const auto limit, parse_sum());
    note(invalid("Unsupported clause: LIMIT"));
  }
  return {};
}

Status Parser::parse_insert(Statement& statement) {
  statement.kind = Statement::Kind::insert;
  WAYBILL_TRY(expect_keyword("INTO"));
  WAYBILL_TRY(parse_target(statement));
  if (!accept_keyword("VALUE")) {
    WAYBILL_TRY_ASSIGN(const auto expression, parse_condition());
    return at_end() ? not_well_formed("Expected VALUE") : not_well_formed(leftover);
  }
  if (!at_value()) {
    return unexpected_term();
  }
  const Position position = token().position;
  std::string value;
  WAYBILL_TRY(append_value(value, ""));
  const item::ValueView item(value.data());
  if (item.type() != item::Type::map) {
    note(invalid("Unsupported data type: " + std::string(item::type_name(item.type())) + " under key root " +
                 position.printed()));
    return {};
  }
  statement.item.encoded = item.members().encoded();
  return {};
}

Status Parser::parse_update(Statement& statement) {
  statement.kind = Statement::Kind::update;
  WAYBILL_TRY(parse_target(statement));
  WAYBILL_TRY(parse_changes(statement));
  WAYBILL_TRY(parse_where(statement));
  return parse_returning(statement);
}

Status Parser::parse_from_first(Statement& statement) {
  statement.kind = Statement::Kind::update;
  WAYBILL_TRY(parse_target(statement));
  WAYBILL_TRY(parse_where(statement));
  WAYBILL_TRY(parse_changes(statement));
  return parse_returning(statement);
}

Status Parser::parse_delete(Statement& statement) {
  statement.kind = Statement::Kind::remove;
  WAYBILL_TRY(expect_keyword("FROM"));
  WAYBILL_TRY(parse_target(statement));
  WAYBILL_TRY(parse_where(statement));
  WAYBILL_TRY(parse_returning(statement));
  const auto& returning = statement.returning;
  if (returning && (returning->modified || !returning->old)) {
    note(invalid("Invalid returning clause: " + returning->printed() +
                 ". Only RETURNING ALL OLD * is allowed in DELETE statements."));
  }
  return {};
}

Status Parser::parse_exists(Statement& statement) {
  advance();
  WAYBILL_TRY(expect("("));
  if (!accept_keyword("SELECT")) {
    return not_well_formed(no_manipulation);
  }
  WAYBILL_TRY(parse_select(statement));
  statement.kind = Statement::Kind::exists;
  return expect(")");
}

}  // namespace waybill::partiql
