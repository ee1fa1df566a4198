#pragma once

#include <optional>
#include <string_view>

#include "expression/condition.h"
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
  using Operator = Condition::Operator;
  using Operand = Condition::Operand;

  struct Piece {
    enum class Kind : unsigned char { condition, operand, function };

    Kind kind = Kind::operand;
    bool in_parentheses = false;
    Operand operand = {};
    std::optional<item::Type> type = {};  // of an operand, where it is known before there is an item
    std::string_view function = {};       // its name

    bool is_path() const { return kind == Kind::operand && operand.kind == Operand::Kind::path; }
    bool is_literal() const { return kind == Kind::operand && operand.kind == Operand::Kind::literal; }
  };
  using Pieces = SmallVector<Piece, 4>;

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
  void wrap(std::size_t from, Operator op);
  Piece add_leaf(Operator op, const Pieces& operands);
  void close_condition();

  // What is wrong with operands before there is an item: each notes what it finds.
  void check_function(std::string_view name, const Pieces& operands);
  void check_begins_with(const Pieces& operands);
  void check_attribute_type(const Piece& wanted);
  void check_size(const Piece& operand);
  void check_use(const Pieces& operands);
  void check_distinct(std::string_view name, const Pieces& operands);
  void check_ordered(std::string_view name, const Pieces& operands);
  void check_bounds(const Piece& low, const Piece& high);
  void note_type(std::string_view name, std::string_view type);

  Condition condition_;
};

}  // namespace waybill::expression
