#include "expression/update_tree.h"

#include <array>
#include <string>
#include <utility>

namespace waybill::expression {

UpdateTree::Operand UpdateTree::path(PathId path) {
  return Operand{.value = add_value({.kind = Kind::path, .path = path}), .is_path = true};
}

UpdateTree::Operand UpdateTree::literal(LiteralId literal) {
  return Operand{.value = add_value({.kind = Kind::literal, .literal = literal}),
                 .type = terms_.literal(literal).type()};
}

UpdateTree::Operand UpdateTree::sum(std::string_view symbol, const Operand& left, const Operand& right) {
  Operands operands;
  operands.push_back(left);
  operands.push_back(right);
  check_use(operands);
  check_types(symbol, operands, item::Type::number);
  const auto kind = symbol == "-" ? Kind::minus : Kind::plus;
  return Operand{.value = add_value({.kind = kind, .left = left.value, .right = right.value}),
                 .is_sum = true};
}

UpdateTree::Operand UpdateTree::function(std::string_view name, const Operands& operands) {
  check_function(name, operands);
  if (operands.size() < 2) {
    return Operand{};  // noted above; the update is refused
  }
  if (name == "list_append") {
    const Update::Value value{
        .kind = Kind::list_append, .left = operands[0].value, .right = operands[1].value};
    return Operand{.value = add_value(value), .is_list_append = true};
  }
  const PathId path = update_.values_[operands[0].value].path;
  return Operand{.value = add_value({.kind = Kind::if_not_exists, .path = path, .right = operands[1].value})};
}

void UpdateTree::set(PathId target, const Operand& value) {
  add_action({.operation = Operation::set, .target = target, .value = value.value});
}

void UpdateTree::remove(PathId target) {
  add_action({.operation = Operation::remove, .target = target});
}

void UpdateTree::add(PathId target, LiteralId literal) {
  check_action_operand(Operation::add, literal);
  add_action({.operation = Operation::add, .target = target, .literal = literal});
}

void UpdateTree::remove_members(PathId target, LiteralId literal) {
  check_action_operand(Operation::remove_members, literal);
  add_action({.operation = Operation::remove_members, .target = target, .literal = literal});
}

void UpdateTree::close_targets() {
  update_.targets_.sort(terms_);
  update_.targets_.note_overlaps(terms_, problems_);
}

Update UpdateTree::finish() {
  update_.terms_ = std::move(terms_);
  return std::move(update_);
}

void UpdateTree::check_function(std::string_view name, const Operands& operands) {
  if (name != "if_not_exists" && name != "list_append") {
    problems_.note(Problem::function_name, "Invalid function name; function: " + std::string(name));
    return;
  }
  if (operands.size() != 2) {
    problems_.note(Problem::operand_type,
                   "Incorrect number of operands for operator or function; operator or function: " +
                       std::string(name) + ", number of operands: " + std::to_string(operands.size()));
    return;
  }
  check_use(operands);
  if (name == "list_append") {
    check_types(name, operands, item::Type::list);
  } else if (!operands[0].is_path) {
    problems_.note(
        Problem::operand_type,
        "Operator or function requires a document path; operator or function: " + std::string(name));
  }
}

// The result of list_append may be assigned, but not passed on.
void UpdateTree::check_use(const Operands& operands) {
  for (const Operand& operand : operands) {
    if (operand.is_list_append) {
      problems_.note(
          Problem::function_use,
          "The function is not allowed to be used this way in an expression; function: list_append");
    }
  }
}

void UpdateTree::check_types(std::string_view name, const Operands& operands, item::Type wanted) {
  for (const Operand& operand : operands) {
    if (operand.type && *operand.type != wanted) {
      problems_.note(Problem::operand_type,
                     std::string("Incorrect operand type for operator or function; operator or function: ")
                         .append(name)
                         .append(", operand type: ")
                         .append(item::type_name(*operand.type)));
    }
  }
}

void UpdateTree::check_action_operand(Operation operation, LiteralId literal) {
  static constexpr std::array<std::string_view, 10> names = {
      "NULL",       "BOOLEAN",    "STRING",     "NUMBER", "BINARY",
      "STRING_SET", "NUMBER_SET", "BINARY_SET", "LIST",   "MAP"};
  const item::Type type = terms_.literal(literal).type();
  const bool adds = operation == Operation::add;
  if (item::is_set(type) || (adds && type == item::Type::number)) {
    return;
  }
  const std::string_view keyword = adds ? "ADD" : "DELETE";
  problems_.note(Problem::action_operand,
                 std::string("Incorrect operand type for operator or function; operator: ")
                     .append(keyword)
                     .append(", operand type: ")
                     .append(names[static_cast<std::size_t>(type)])
                     .append(", typeSet: ALLOWED_FOR_")
                     .append(keyword)
                     .append("_OPERAND"));
}

uint32_t UpdateTree::add_value(const Update::Value& value) {
  update_.values_.push_back(value);
  return static_cast<uint32_t>(update_.values_.size() - 1);
}

void UpdateTree::add_action(const Update::Action& action) {
  update_.actions_.push_back(action);
  update_.targets_.add(action.target);
}

}  // namespace waybill::expression
