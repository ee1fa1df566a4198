#include <algorithm>
#include <array>
#include <utility>

#include "expression/terms.h"
#include "partiql/parser.h"

namespace waybill::partiql {

namespace {

using Kind = Expression::Kind;

constexpr std::string_view right_side_missing = "Missing right-hand side expression of infix operator";

// Words that stand between operands.
bool is_operator(const Token& token) {
  constexpr std::array<std::string_view, 6> words = {"AND", "OR", "IN", "IS", "LIKE", "BETWEEN"};
  constexpr std::array<std::string_view, 13> symbols = {
      "=", "<>", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "||"};
  return std::any_of(words.begin(), words.end(), [&](auto word) { return token.is_keyword(word); }) ||
         std::any_of(symbols.begin(), symbols.end(), [&](auto symbol) { return token.is(symbol); });
}

// What may stand behind IS, and what it asks of an attribute: the names of types.
constexpr std::array<std::string_view, 32> type_words = {
    "bag",      "blob",     "bool",     "boolean", "char",    "character", "clob",    "dec",
    "decimal",  "double",   "float",    "int",     "int2",    "int4",      "int8",    "integer",
    "integer2", "integer4", "integer8", "list",    "missing", "null",      "numeric", "real",
    "sexp",     "smallint", "string",   "struct",  "symbol",  "timestamp", "tuple",   "varchar"};

Expression negation_of(Expression expression) {
  Expression negation{.kind = Kind::negate, .position = expression.position};
  negation.operands.push_back(std::move(expression));
  return negation;
}

}  // namespace

Error Parser::unexpected_term() const {
  if (is_operator(token())) {
    return not_well_formed("Unexpected operator");
  }
  return not_well_formed(token().is_reserved() ? "Unexpected keyword" : "Unexpected term");
}

Result<Expression> Parser::parse_condition() {
  const Nesting nesting(*this);
  if (nesting.is_too_deep()) {
    return not_well_formed("");
  }
  return parse_chain(Kind::any, "OR", &Parser::parse_conjunction);
}

Result<Expression> Parser::parse_conjunction() {
  return parse_chain(Kind::all, "AND", &Parser::parse_negation);
}

Result<Expression> Parser::parse_chain(Kind kind, std::string_view keyword,
                                       Result<Expression> (Parser::*step)()) {
  WAYBILL_TRY_ASSIGN(Expression first, (this->*step)());
  if (!token().is_keyword(keyword)) {
    return first;
  }
  Expression chain{.kind = kind, .position = token().position};
  chain.operands.push_back(std::move(first));
  while (accept_keyword(keyword)) {
    if (at_end()) {
      return not_well_formed(right_side_missing);
    }
    WAYBILL_TRY_ASSIGN(Expression next, (this->*step)());
    chain.operands.push_back(std::move(next));
  }
  return chain;
}

Result<Expression> Parser::parse_negation() {
  if (!accept_keyword("NOT")) {
    return parse_comparison();
  }
  const Nesting nesting(*this);
  if (nesting.is_too_deep()) {
    return not_well_formed("");
  }
  WAYBILL_TRY_ASSIGN(Expression expression, parse_negation());
  return negation_of(std::move(expression));
}

Result<Expression> Parser::parse_comparison() {
  WAYBILL_TRY_ASSIGN(Expression left, parse_sum());
  for (int count = 0; count < nesting_max; ++count) {
    const std::size_t before = at_;
    WAYBILL_TRY_ASSIGN(left, parse_tail(std::move(left)));
    if (at_ == before) {
      return left;
    }
  }
  return not_well_formed("");
}

// A comparison of what was read so far, or that itself where none follows.
Result<Expression> Parser::parse_tail(Expression left) {
  constexpr std::array<std::string_view, 7> comparators = {"=", "<>", "!=", "<", "<=", ">", ">="};
  for (const auto symbol : comparators) {
    if (token().is(symbol)) {
      Expression comparison{.kind = Kind::comparison, .position = token().position};
      comparison.name = symbol == "!=" ? "<>" : symbol;
      advance();
      comparison.operands.push_back(std::move(left));
      WAYBILL_TRY_ASSIGN(Expression right, parse_right_side());
      comparison.operands.push_back(std::move(right));
      return comparison;
    }
  }
  const bool negated =
      token().is_keyword("NOT") && (following().is_keyword("BETWEEN") || following().is_keyword("IN"));
  if (negated) {
    advance();
  }
  Result<Expression> tail = Expression{};
  if (accept_keyword("BETWEEN")) {
    tail = parse_between(std::move(left));
  } else if (accept_keyword("IN")) {
    tail = parse_in(std::move(left));
  } else if (accept_keyword("IS")) {
    return parse_is(std::move(left));
  } else if (token().is_keyword("LIKE")) {
    return invalid("Unsupported operation: Like");
  } else {
    return left;
  }
  if (!tail || !negated) {
    return tail;
  }
  return negation_of(*std::move(tail));
}

Result<Expression> Parser::parse_right_side() {
  if (at_end()) {
    return not_well_formed(right_side_missing);
  }
  return parse_sum();
}

Result<Expression> Parser::parse_between(Expression left) {
  Expression between{.kind = Kind::between, .position = left.position};
  between.operands.push_back(std::move(left));
  WAYBILL_TRY_ASSIGN(Expression low, parse_right_side());
  WAYBILL_TRY(expect_keyword("AND"));
  WAYBILL_TRY_ASSIGN(Expression high, parse_right_side());
  between.operands.push_back(std::move(low));
  between.operands.push_back(std::move(high));
  return between;
}

Result<Expression> Parser::parse_in(Expression left) {
  Expression in{.kind = Kind::in, .position = left.position};
  in.operands.push_back(std::move(left));
  if (accept("(")) {
    WAYBILL_TRY(parse_operands(in.operands, ")"));
    return in;
  }
  if (accept("[")) {
    WAYBILL_TRY(parse_operands(in.operands, "]"));
    return in;
  }
  WAYBILL_TRY_ASSIGN(const Expression whole, parse_right_side());
  if (whole.kind != Kind::value || whole.literal().type() != item::Type::list) {
    note(invalid("IN must be followed by a list " + whole.position.printed()));
    return in;
  }
  std::size_t count = 0;
  for (auto elements = whole.literal().elements(); elements.next();) {
    if (++count > expression::in_operands_max) {
      continue;  // a parameter may be of any length
    }
    in.operands.push_back(
        {.kind = Kind::value, .position = whole.position, .value = std::string(elements.value().encoded())});
  }
  if (count > expression::in_operands_max) {
    note(invalid("The IN operator is provided with too many operands; number of operands: " +
                 std::to_string(count)));
  }
  return in;
}

Result<Expression> Parser::parse_is(Expression left) {
  const bool negated = accept_keyword("NOT");
  Expression is{.kind = Kind::is_type, .position = left.position, .name = lower_case(token().text)};
  const bool known = token().kind == TokenKind::word &&
                     std::find(type_words.begin(), type_words.end(), is.name) != type_words.end();
  if (!known) {
    return not_well_formed("Expected type name");
  }
  advance();
  if (is.name == "double") {
    WAYBILL_TRY(expect_keyword("PRECISION"));
  } else if (is.name == "character") {
    accept_keyword("VARYING");
  }
  is.operands.push_back(std::move(left));
  if (negated) {
    return negation_of(std::move(is));
  }
  return is;
}

Result<Expression> Parser::parse_sum() {
  constexpr std::array<std::string_view, 6> symbols = {"+", "-", "*", "/", "%", "||"};
  WAYBILL_TRY_ASSIGN(Expression left, parse_term());
  for (int count = 0; count < nesting_max; ++count) {
    const auto found =
        std::find_if(symbols.begin(), symbols.end(), [&](auto symbol) { return token().is(symbol); });
    if (found == symbols.end()) {
      return left;
    }
    Expression sum{.kind = Kind::arithmetic, .position = token().position, .name = std::string(*found)};
    advance();
    if (at_end()) {
      return not_well_formed(right_side_missing);
    }
    sum.operands.push_back(std::move(left));
    WAYBILL_TRY_ASSIGN(Expression right, parse_term());
    sum.operands.push_back(std::move(right));
    left = std::move(sum);
  }
  return not_well_formed("");
}

Result<Expression> Parser::parse_term() {
  if (at_value()) {
    return parse_value();
  }
  if (token().is("(")) {
    return parse_parentheses();
  }
  if (token().kind == TokenKind::word && following().is("(")) {
    return parse_call();
  }
  const Position position = token().position;
  if (accept_keyword("MISSING")) {
    return Expression{.kind = Kind::missing, .position = position};
  }
  if (accept_keyword("FROM")) {
    // An update that begins with FROM, in a place where none can be.
    Statement inside;
    WAYBILL_TRY(parse_from_first(inside));
    return not_well_formed("Unexpected keyword");
  }
  if (!at_name()) {
    return unexpected_term();
  }
  Expression expression{.kind = Kind::path, .position = position};
  WAYBILL_TRY_ASSIGN(expression.path, parse_path());
  return expression;
}

Result<Expression> Parser::parse_parentheses() {
  advance();
  WAYBILL_TRY_ASSIGN(Expression inside, parse_condition());
  WAYBILL_TRY(expect(")"));
  return inside;
}

Result<Expression> Parser::parse_call() {
  Expression call{.kind = Kind::call, .position = token().position, .name = lower_case(token().text)};
  advance();
  advance();
  if (accept(")")) {
    return call;
  }
  WAYBILL_TRY(parse_operands(call.operands, ")"));
  return call;
}

Status Parser::parse_operands(std::vector<Expression>& operands, std::string_view closing) {
  do {
    WAYBILL_TRY_ASSIGN(Expression operand, parse_condition());
    operands.push_back(std::move(operand));
  } while (accept(","));
  return expect(closing);
}

}  // namespace waybill::partiql
