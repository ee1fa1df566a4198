#pragma once

#include <string_view>

#include "expression/condition.h"
#include "expression/condition_tree.h"
#include "expression/grammar.h"

namespace waybill::expression {

// Reads conditions, filters and key conditions:
//
//   condition  := conjunction (OR conjunction)*
//   conjunction:= negation (AND negation)*
//   negation   := NOT negation | comparison
//   comparison := piece [(= | <> | < | <= | > | >=) operand | BETWEEN operand AND operand | IN (operand, …)]
//   piece      := ( condition ) | operand
//   operand    := ( operand ) | path | value | function ( operand, … )
//
// Only what stands behind it tells whether a piece in parentheses is a condition or an operand.
class ConditionParser : private Grammar {
 public:
  ConditionParser(std::string_view text, ExpressionKind kind, Placeholders& placeholders)
      : Grammar(text, kind, placeholders) {}

  Result<Condition> parse();

 private:
  using Operator = ConditionTree::Operator;
  using Piece = ConditionTree::Piece;
  using Pieces = ConditionTree::Pieces;

  using Step = Result<Piece> (ConditionParser::*)();

  Result<Piece> parse_condition();
  Result<Piece> parse_conjunction();
  Result<Piece> parse_chain(Operator op, std::string_view keyword, Step step);
  Result<Piece> parse_negation();
  Result<Piece> parse_comparison();
  Result<Piece> parse_piece();
  Result<Piece> parse_operand();
  Result<Piece> parse_operand_in_parentheses();
  Result<Piece> parse_function();
  Status parse_operands(Pieces& operands);
  Result<Piece> parse_comparator(const Piece& left, Operator op);
  Result<Piece> parse_between(const Piece& left);
  Result<Piece> parse_in(const Piece& left);

  Status require_condition(const Piece& piece);

  ConditionTree tree_{terms_, problems_};
};

}  // namespace waybill::expression
