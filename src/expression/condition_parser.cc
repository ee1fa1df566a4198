#include "expression/condition_parser.h"

#include <array>

namespace waybill::expression {

Result<Condition> Condition::parse(std::string_view text, ExpressionKind kind, Placeholders& placeholders) {
  return ConditionParser(text, kind, placeholders).parse();
}

Result<Condition> ConditionParser::parse() {
  WAYBILL_TRY(check_text());
  WAYBILL_TRY_ASSIGN(const Piece whole, parse_condition());
  if (token().kind != TokenKind::end) {
    return syntax_error();
  }
  WAYBILL_TRY(require_condition(whole));
  if (const auto* text =
          problems_.first_of({Problem::parentheses, Problem::function_name, Problem::function_use,
                              Problem::reserved_word, Problem::condition})) {
    return fail(*text);
  }
  return tree_.finish();
}

Result<ConditionParser::Piece> ConditionParser::parse_condition() {
  return parse_chain(Operator::any, "OR", &ConditionParser::parse_conjunction);
}

Result<ConditionParser::Piece> ConditionParser::parse_conjunction() {
  return parse_chain(Operator::all, "AND", &ConditionParser::parse_negation);
}

Result<ConditionParser::Piece> ConditionParser::parse_chain(Operator op, std::string_view keyword,
                                                            Step step) {
  const std::size_t from = tree_.next_place();
  WAYBILL_TRY_ASSIGN(Piece piece, (this->*step)());
  if (!token().is_keyword(keyword)) {
    return piece;
  }
  WAYBILL_TRY(require_condition(piece));
  tree_.wrap(from, op);
  while (accept_keyword(keyword)) {
    WAYBILL_TRY(count_operator());
    WAYBILL_TRY_ASSIGN(const Piece next, (this->*step)());
    WAYBILL_TRY(require_condition(next));
  }
  return tree_.close(from);
}

Result<ConditionParser::Piece> ConditionParser::parse_negation() {
  if (!accept_keyword("NOT")) {
    return parse_comparison();
  }
  WAYBILL_TRY(count_operator());
  const std::size_t from = tree_.open(Operator::negate);
  WAYBILL_TRY_ASSIGN(const Piece piece, parse_negation());
  WAYBILL_TRY(require_condition(piece));
  return tree_.close(from);
}

Result<ConditionParser::Piece> ConditionParser::parse_comparison() {
  static constexpr std::array<std::pair<std::string_view, Operator>, 6> comparators = {{
      {"=", Operator::equal},
      {"<>", Operator::not_equal},
      {"<", Operator::less},
      {"<=", Operator::less_or_equal},
      {">", Operator::greater},
      {">=", Operator::greater_or_equal},
  }};
  WAYBILL_TRY_ASSIGN(const Piece left, parse_piece());
  if (left.kind == Piece::Kind::condition) {
    return left;
  }
  for (const auto& [symbol, op] : comparators) {
    if (token().is(symbol)) {
      return parse_comparator(left, op);
    }
  }
  if (accept_keyword("BETWEEN")) {
    return parse_between(left);
  }
  if (accept_keyword("IN")) {
    return parse_in(left);
  }
  if (left.kind == Piece::Kind::function) {
    tree_.close_condition();
  }
  return left;
}

Result<ConditionParser::Piece> ConditionParser::parse_piece() {
  if (!token().is("(")) {
    return parse_operand();
  }
  WAYBILL_TRY(enter_parentheses());
  advance();
  WAYBILL_TRY_ASSIGN(Piece piece, parse_condition());
  WAYBILL_TRY(expect(")"));
  leave_parentheses();
  if (piece.in_parentheses) {
    problems_.note(Problem::parentheses, "The expression has redundant parentheses;");
  }
  piece.in_parentheses = true;
  return piece;
}

Result<ConditionParser::Piece> ConditionParser::parse_operand() {
  if (token().is("(")) {
    return parse_operand_in_parentheses();
  }
  if (token().kind == TokenKind::value_placeholder) {
    return tree_.literal(parse_literal());
  }
  for (const std::string_view keyword : {"AND", "OR", "NOT", "BETWEEN", "IN"}) {
    if (token().is_keyword(keyword)) {
      return syntax_error();
    }
  }
  if (at_function()) {
    return parse_function();
  }
  WAYBILL_TRY_ASSIGN(const PathId path, parse_path());
  return tree_.path(path);
}

Result<ConditionParser::Piece> ConditionParser::parse_operand_in_parentheses() {
  WAYBILL_TRY(enter_parentheses());
  advance();
  WAYBILL_TRY_ASSIGN(Piece piece, parse_operand());
  WAYBILL_TRY(expect(")"));
  leave_parentheses();
  if (piece.in_parentheses) {
    problems_.note(Problem::parentheses, "The expression has redundant parentheses;");
  }
  piece.in_parentheses = true;
  return piece;
}

Result<ConditionParser::Piece> ConditionParser::parse_function() {
  const std::string_view name = token().text;
  WAYBILL_TRY(count_operator());
  advance();
  Pieces operands;
  WAYBILL_TRY(parse_operands(operands));
  return tree_.add_function(name, operands);
}

Status ConditionParser::parse_operands(Pieces& operands) {
  WAYBILL_TRY(expect("("));
  do {
    WAYBILL_TRY_ASSIGN(const Piece operand, parse_operand());
    operands.push_back(operand);
  } while (accept(","));
  return expect(")");
}

Result<ConditionParser::Piece> ConditionParser::parse_comparator(const Piece& left, Operator op) {
  const std::string_view symbol = token().text;
  WAYBILL_TRY(count_operator());
  advance();
  WAYBILL_TRY_ASSIGN(const Piece right, parse_operand());
  Pieces operands;
  operands.push_back(left);
  operands.push_back(right);
  return tree_.add_comparison(op, symbol, operands);
}

Result<ConditionParser::Piece> ConditionParser::parse_between(const Piece& left) {
  WAYBILL_TRY(count_operator());
  Pieces operands;
  operands.push_back(left);
  WAYBILL_TRY_ASSIGN(const Piece low, parse_operand());
  if (!accept_keyword("AND")) {
    return syntax_error();
  }
  WAYBILL_TRY_ASSIGN(const Piece high, parse_operand());
  operands.push_back(low);
  operands.push_back(high);
  return tree_.add_between(operands);
}

Result<ConditionParser::Piece> ConditionParser::parse_in(const Piece& left) {
  WAYBILL_TRY(count_operator());
  Pieces operands;
  operands.push_back(left);
  WAYBILL_TRY(parse_operands(operands));
  return tree_.add_in(operands);
}

Status ConditionParser::require_condition(const Piece& piece) {
  return tree_.note_condition(piece) ? Status() : syntax_error();
}

}  // namespace waybill::expression
