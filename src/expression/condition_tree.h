#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "expression/condition.h"
#include "expression/problems.h"
#include "expression/small_vector.h"
#include "expression/terms.h"

namespace waybill::expression {

// The tree of a condition while it grows, and what can be wrong with operands before there is an item.
// Whoever reads conditions, in whatever notation, adds to one of these; paths and literals go into the same
// terms. Faults are noted and do not stop the growth: which one is told depends on what else is wrong.
class ConditionTree {
 public:
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

  ConditionTree(Terms& terms, Problems& problems) : terms_(terms), problems_(problems) {}

  Piece path(PathId path) const;
  Piece literal(LiteralId literal) const;

  // AND, OR, NOT: opened, filled with conditions, closed; or put over those from a place on.
  std::size_t next_place() const { return condition_.nodes_.size(); }
  std::size_t open(Operator op);
  void wrap(std::size_t from, Operator op);
  Piece close(std::size_t place);

  // Each checks its operands. `name` is how the service spells the operator or function.
  Piece add_comparison(Operator op, std::string_view name, const Pieces& operands);
  Piece add_between(const Pieces& operands);
  Piece add_in(const Pieces& operands);
  // size() is an operand; any other function is a condition. An unknown one is noted.
  Piece add_function(std::string_view name, const Pieces& operands);

  // An operand where a condition should stand: notes a function that is none; false where it is not even
  // that.
  bool note_condition(const Piece& piece);

  // Of the problems with operands the service reports those of the first condition that has any. To be called
  // at the end of each.
  void close_condition();

  // The condition, which takes the terms with it; nothing may be added behind it.
  Condition finish();

 private:
  Piece add_leaf(Operator op, const Pieces& operands);

  // What is wrong with operands: each notes what it finds.
  void check_function(std::string_view name, const Pieces& operands);
  void check_begins_with(const Pieces& operands);
  void check_attribute_type(const Piece& wanted);
  void check_size(const Piece& operand);
  void check_use(const Pieces& operands);
  void check_distinct(std::string_view name, const Pieces& operands);
  void check_ordered(std::string_view name, const Pieces& operands);
  void check_bounds(const Piece& low, const Piece& high);
  void note_type(std::string_view name, std::string_view type);

  Terms& terms_;
  Problems& problems_;
  Condition condition_;
};

}  // namespace waybill::expression
