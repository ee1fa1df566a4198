#include "expression/condition_tree.h"

#include <array>
#include <string>
#include <utility>

namespace waybill::expression {

ConditionTree::Piece ConditionTree::path(PathId path) const {
  return Piece{.operand = {.kind = Operand::Kind::path, .path = path, .literal = {}}};
}

ConditionTree::Piece ConditionTree::literal(LiteralId literal) const {
  return Piece{.operand = {.kind = Operand::Kind::literal, .path = {}, .literal = literal},
               .type = terms_.literal(literal).type()};
}

std::size_t ConditionTree::open(Operator op) {
  condition_.nodes_.push_back({.op = op});
  return condition_.nodes_.size() - 1;
}

void ConditionTree::wrap(std::size_t from, Operator op) {
  condition_.nodes_.insert(from, {.op = op});
  for (std::size_t i = from + 1; i < condition_.nodes_.size(); ++i) {
    ++condition_.nodes_[i].end;
  }
}

ConditionTree::Piece ConditionTree::close(std::size_t place) {
  condition_.nodes_[place].end = static_cast<uint32_t>(condition_.nodes_.size());
  return Piece{.kind = Piece::Kind::condition};
}

ConditionTree::Piece ConditionTree::add_comparison(Operator op, std::string_view name,
                                                   const Pieces& operands) {
  check_use(operands);
  check_distinct(name, operands);
  if (op != Operator::equal && op != Operator::not_equal) {
    check_ordered(name, operands);
  }
  close_condition();
  return add_leaf(op, operands);
}

ConditionTree::Piece ConditionTree::add_between(const Pieces& operands) {
  check_use(operands);
  check_ordered("BETWEEN", operands);
  check_bounds(operands[1], operands[2]);
  close_condition();
  return add_leaf(Operator::between, operands);
}

ConditionTree::Piece ConditionTree::add_in(const Pieces& operands) {
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

ConditionTree::Piece ConditionTree::add_function(std::string_view name, const Pieces& operands) {
  static constexpr std::array<std::pair<std::string_view, Operator>, 5> functions = {{
      {"attribute_exists", Operator::attribute_exists},
      {"attribute_not_exists", Operator::attribute_not_exists},
      {"attribute_type", Operator::attribute_type},
      {"begins_with", Operator::begins_with},
      {"contains", Operator::contains},
  }};
  check_use(operands);
  check_function(name, operands);
  if (name == "size") {
    Piece piece{.type = item::Type::number, .function = name};
    if (!operands.empty()) {
      piece.operand = operands[0].operand;
      piece.operand.kind =
          operands[0].is_literal() ? Operand::Kind::size_of_literal : Operand::Kind::size_of_path;
    }
    return piece;
  }
  for (const auto& [known, op] : functions) {
    if (known == name) {
      add_leaf(op, operands);
    }
  }
  return Piece{.kind = Piece::Kind::function, .function = name};
}

bool ConditionTree::note_condition(const Piece& piece) {
  if (piece.kind != Piece::Kind::operand) {
    return true;
  }
  if (piece.function.empty()) {
    return false;
  }
  problems_.note(Problem::function_use,
                 "The function is not allowed to be used this way in an expression; function: " +
                     std::string(piece.function));
  return true;
}

void ConditionTree::close_condition() {
  if (const auto* text = problems_.first_of(
          {Problem::undefined_name, Problem::operand_count, Problem::distinct, Problem::operand_type})) {
    problems_.note(Problem::condition, *text);
  }
}

ConditionTree::Piece ConditionTree::add_leaf(Operator op, const Pieces& operands) {
  condition_.nodes_.push_back({.op = op,
                               .end = static_cast<uint32_t>(condition_.nodes_.size() + 1),
                               .first_operand = static_cast<uint32_t>(condition_.operands_.size()),
                               .operand_count = static_cast<uint32_t>(operands.size())});
  for (const Piece& piece : operands) {
    condition_.operands_.push_back(piece.operand);
  }
  return Piece{.kind = Piece::Kind::condition};
}

Condition ConditionTree::finish() {
  condition_.terms_ = std::move(terms_);
  return std::move(condition_);
}

}  // namespace waybill::expression
