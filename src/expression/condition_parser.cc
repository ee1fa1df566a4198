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
  condition_.terms_ = std::move(terms_);
  return std::move(condition_);
}

Result<ConditionParser::Piece> ConditionParser::parse_condition() {
  return parse_chain(Operator::any, "OR", &ConditionParser::parse_conjunction);
}

Result<ConditionParser::Piece> ConditionParser::parse_conjunction() {
  return parse_chain(Operator::all, "AND", &ConditionParser::parse_negation);
}

Result<ConditionParser::Piece> ConditionParser::parse_chain(Operator op, std::string_view keyword,
                                                            Step step) {
  const std::size_t from = condition_.nodes_.size();
  WAYBILL_TRY_ASSIGN(Piece piece, (this->*step)());
  if (!token().is_keyword(keyword)) {
    return piece;
  }
  WAYBILL_TRY(require_condition(piece));
  wrap(from, op);
  while (accept_keyword(keyword)) {
    WAYBILL_TRY(count_operator());
    WAYBILL_TRY_ASSIGN(const Piece next, (this->*step)());
    WAYBILL_TRY(require_condition(next));
  }
  condition_.nodes_[from].end = static_cast<uint32_t>(condition_.nodes_.size());
  return Piece{.kind = Piece::Kind::condition};
}

Result<ConditionParser::Piece> ConditionParser::parse_negation() {
  if (!accept_keyword("NOT")) {
    return parse_comparison();
  }
  WAYBILL_TRY(count_operator());
  const std::size_t from = condition_.nodes_.size();
  condition_.nodes_.push_back({.op = Operator::negate});
  WAYBILL_TRY_ASSIGN(const Piece piece, parse_negation());
  WAYBILL_TRY(require_condition(piece));
  condition_.nodes_[from].end = static_cast<uint32_t>(condition_.nodes_.size());
  return Piece{.kind = Piece::Kind::condition};
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
    close_condition();
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
    const LiteralId literal = parse_literal();
    return Piece{.operand = {.kind = Operand::Kind::literal, .path = {}, .literal = literal},
                 .type = terms_.literal(literal).type()};
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
  return Piece{.operand = {.kind = Operand::Kind::path, .path = path, .literal = {}}};
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
  static constexpr std::array<std::pair<std::string_view, Operator>, 5> functions = {{
      {"attribute_exists", Operator::attribute_exists},
      {"attribute_not_exists", Operator::attribute_not_exists},
      {"attribute_type", Operator::attribute_type},
      {"begins_with", Operator::begins_with},
      {"contains", Operator::contains},
  }};
  const std::string_view name = token().text;
  WAYBILL_TRY(count_operator());
  advance();
  Pieces operands;
  WAYBILL_TRY(parse_operands(operands));
  check_use(operands);
  check_function(name, operands);
  if (name == "size") {
    Piece piece{.operand = operands[0].operand, .type = item::Type::number, .function = name};
    piece.operand.kind =
        operands[0].is_literal() ? Operand::Kind::size_of_literal : Operand::Kind::size_of_path;
    return piece;
  }
  Piece piece{.kind = Piece::Kind::function, .function = name};
  for (const auto& [known, op] : functions) {
    if (known == name) {
      add_leaf(op, operands);
    }
  }
  return piece;
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
  check_use(operands);
  check_distinct(symbol, operands);
  if (op != Operator::equal && op != Operator::not_equal) {
    check_ordered(symbol, operands);
  }
  close_condition();
  return add_leaf(op, operands);
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
  check_use(operands);
  check_ordered("BETWEEN", operands);
  check_bounds(low, high);
  close_condition();
  return add_leaf(Operator::between, operands);
}

Result<ConditionParser::Piece> ConditionParser::parse_in(const Piece& left) {
  WAYBILL_TRY(count_operator());
  Pieces operands;
  operands.push_back(left);
  WAYBILL_TRY(parse_operands(operands));
  const std::size_t count = operands.size() - 1;
  if (count > in_operands_max) {
    problems_.note(
        Problem::operand_count,
        "The IN operator is provided with too many operands; number of operands: " + std::to_string(count));
  }
  check_use(operands);
  check_distinct("IN", operands);
  close_condition();
  return add_leaf(Operator::in, operands);
}

Status ConditionParser::require_condition(const Piece& piece) {
  if (piece.kind != Piece::Kind::operand) {
    return {};
  }
  if (piece.function.empty()) {
    return syntax_error();
  }
  problems_.note(Problem::function_use,
                 "The function is not allowed to be used this way in an expression; function: " +
                     std::string(piece.function));
  return {};
}

// Puts a node over those from `from` on.
void ConditionParser::wrap(std::size_t from, Operator op) {
  condition_.nodes_.insert(from, {.op = op});
  for (std::size_t i = from + 1; i < condition_.nodes_.size(); ++i) {
    ++condition_.nodes_[i].end;
  }
}

ConditionParser::Piece ConditionParser::add_leaf(Operator op, const Pieces& operands) {
  condition_.nodes_.push_back({.op = op,
                               .end = static_cast<uint32_t>(condition_.nodes_.size() + 1),
                               .first_operand = static_cast<uint32_t>(condition_.operands_.size()),
                               .operand_count = static_cast<uint32_t>(operands.size())});
  for (const Piece& piece : operands) {
    condition_.operands_.push_back(piece.operand);
  }
  return Piece{.kind = Piece::Kind::condition};
}

// Of the problems with operands the service reports those of the first condition that has any.
void ConditionParser::close_condition() {
  if (const auto* text = problems_.first_of(
          {Problem::undefined_name, Problem::operand_count, Problem::distinct, Problem::operand_type})) {
    problems_.note(Problem::condition, *text);
  }
}

}  // namespace waybill::expression
