#include "base/bytes.h"
#include "expression/condition_tree.h"

namespace waybill::expression {

namespace {

// How many operands a function takes; 0 for an unknown one.
std::size_t operand_count(std::string_view function) {
  if (function == "attribute_exists" || function == "attribute_not_exists" || function == "size") {
    return 1;
  }
  if (function == "attribute_type" || function == "begins_with" || function == "contains") {
    return 2;
  }
  return 0;
}

bool is_ordered(item::Type type) {
  return type == item::Type::string || type == item::Type::number || type == item::Type::binary;
}

// "AttributeValue: {S:text}", as the service prints an operand.
std::string printed(item::ValueView value) {
  std::string text = "AttributeValue: {";
  text.append(item::type_name(value.type())).append(":");
  if (value.type() == item::Type::binary) {
    append_base64(text, value.bytes());
  } else if (is_ordered(value.type())) {
    text.append(value.bytes());
  }
  return text.append("}");
}

}  // namespace

void ConditionTree::check_function(std::string_view name, const Pieces& operands) {
  const std::size_t expected = operand_count(name);
  if (expected == 0) {
    problems_.note(Problem::function_name, "Invalid function name; function: " + std::string(name));
    return;
  }
  if (operands.size() != expected) {
    problems_.note(Problem::operand_count,
                   "Incorrect number of operands for operator or function; operator or function: " +
                       std::string(name) + ", number of operands: " + std::to_string(operands.size()));
    return;
  }
  check_distinct(name, operands);
  if (name == "begins_with") {
    check_begins_with(operands);
  } else if (name == "attribute_type") {
    check_attribute_type(operands[1]);
  } else if (name == "size") {
    check_size(operands[0]);
  }
  const bool wants_path = name.starts_with("attribute_");
  if (wants_path && !operands[0].is_path()) {
    problems_.note(
        Problem::operand_type,
        "Operator or function requires a document path; operator or function: " + std::string(name));
  }
}

void ConditionTree::check_begins_with(const Pieces& operands) {
  for (const Piece& operand : operands) {
    if (operand.type && *operand.type != item::Type::string && *operand.type != item::Type::binary) {
      note_type("begins_with", item::type_name(*operand.type));
    }
  }
}

void ConditionTree::check_attribute_type(const Piece& wanted) {
  if (!wanted.is_literal()) {
    note_type("attribute_type",
              wanted.type ? item::type_name(*wanted.type) : "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
    return;
  }
  if (wanted.type != item::Type::string) {
    note_type("attribute_type", item::type_name(*wanted.type));
    return;
  }
  const auto name = terms_.literal(wanted.operand.literal).bytes();
  for (const std::string_view known : {"S", "N", "B", "NULL", "SS", "BOOL", "L", "BS", "NS", "M"}) {
    if (name == known) {
      return;
    }
  }
  problems_.note(Problem::operand_type, "Invalid attribute type name found; type: " + std::string(name) +
                                            ", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}");
}

void ConditionTree::check_size(const Piece& operand) {
  if (!operand.type) {
    return;
  }
  if (*operand.type == item::Type::number || *operand.type == item::Type::boolean ||
      *operand.type == item::Type::null) {
    note_type("size", item::type_name(*operand.type));
  }
}

// Only size() gives a value; the other functions are conditions themselves.
void ConditionTree::check_use(const Pieces& operands) {
  for (const Piece& operand : operands) {
    if (operand.kind == Piece::Kind::function) {
      problems_.note(Problem::function_use,
                     "The function is not allowed to be used this way in an expression; function: " +
                         std::string(operand.function));
    }
  }
}

void ConditionTree::check_distinct(std::string_view name, const Pieces& operands) {
  const Piece& first = operands[0];
  if (!first.is_path()) {
    return;
  }
  for (std::size_t i = 1; i < operands.size(); ++i) {
    if (operands[i].is_path() && terms_.same_path(first.operand.path, operands[i].operand.path)) {
      problems_.note(
          Problem::distinct,
          "The first operand must be distinct from the remaining operands for this operator or function; "
          "operator: " +
              std::string(name) + ", first operand: " + terms_.printed(first.operand.path));
      return;
    }
  }
}

void ConditionTree::check_ordered(std::string_view name, const Pieces& operands) {
  for (const Piece& operand : operands) {
    if (operand.type && !is_ordered(*operand.type)) {
      note_type(name, item::type_name(*operand.type));
    }
  }
}

void ConditionTree::check_bounds(const Piece& low, const Piece& high) {
  if (!low.is_literal() || !high.is_literal()) {
    return;
  }
  const auto lower = terms_.literal(low.operand.literal);
  const auto upper = terms_.literal(high.operand.literal);
  std::string_view rule;
  if (lower.type() != upper.type()) {
    rule = "same data type for lower and upper bounds";
  } else if (item::compare(lower, upper).value_or(0) > 0) {
    rule = "upper bound to be greater than or equal to lower bound";
  } else {
    return;
  }
  problems_.note(Problem::operand_type, std::string("The BETWEEN operator requires ")
                                            .append(rule)
                                            .append("; lower bound operand: ")
                                            .append(printed(lower))
                                            .append(", upper bound operand: ")
                                            .append(printed(upper)));
}

void ConditionTree::note_type(std::string_view name, std::string_view type) {
  problems_.note(Problem::operand_type,
                 std::string("Incorrect operand type for operator or function; operator or function: ")
                     .append(name)
                     .append(", operand type: ")
                     .append(type));
}

}  // namespace waybill::expression
