#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "expression/kind.h"
#include "expression/placeholders.h"
#include "expression/small_vector.h"
#include "expression/terms.h"
#include "item/value.h"

namespace waybill::expression {

// A condition or filter: a self-contained tree that is evaluated on stored items as they are.
//
// Thread safety: const methods may be called from any thread; a condition may be moved to another one.
class Condition {
 public:
  // Errors are of kind invalid and carry the service's texts.
  static Result<Condition> parse(std::string_view text, ExpressionKind kind, Placeholders& placeholders);

  // Whether the condition holds for `item`; an item that does not exist is the empty view.
  bool holds(item::ItemView item) const;

  // Whether a path begins with the attribute `top_level_name`. Filters must not mention key attributes.
  bool mentions(std::string_view top_level_name) const;

 private:
  friend class ConditionTree;
  friend class ConditionBuilder;
  friend class KeyConditionReader;

  enum class Operator : unsigned char {
    all,  // AND
    any,  // OR
    negate,
    equal,
    not_equal,
    less,
    less_or_equal,
    greater,
    greater_or_equal,
    between,
    in,
    attribute_exists,
    attribute_not_exists,
    attribute_type,
    begins_with,
    contains,
    not_contains,  // from the legacy parameters only
  };

  struct Operand {
    enum class Kind : unsigned char { path, literal, size_of_path, size_of_literal };

    Kind kind = Kind::path;
    PathId path;
    LiteralId literal;
  };

  // Nodes stand in pre-order: the children of node i are i + 1, nodes_[i + 1].end, … up to nodes_[i].end.
  struct Node {
    Operator op = Operator::all;
    uint32_t end = 0;
    uint32_t first_operand = 0;
    uint32_t operand_count = 0;
  };

  class Evaluation;

  SmallVector<Node, 4> nodes_;
  SmallVector<Operand, 4> operands_;
  Terms terms_;
};

}  // namespace waybill::expression
