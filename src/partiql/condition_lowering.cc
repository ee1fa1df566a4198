#include <algorithm>
#include <array>
#include <utility>

#include "expression/condition_tree.h"
#include "partiql/lowering.h"
#include "partiql/terms.h"

namespace waybill::partiql {

namespace {

using Kind = Expression::Kind;
using expression::Problem;
using Tree = expression::ConditionTree;
using Operator = Tree::Operator;
using Piece = Tree::Piece;
using Pieces = Tree::Pieces;

constexpr std::array<std::string_view, 6> functions = {
    "attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains", "size"};

Operator comparison_operator(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Operator>, 6> operators = {{
      {"=", Operator::equal},
      {"<>", Operator::not_equal},
      {"<", Operator::less},
      {"<=", Operator::less_or_equal},
      {">", Operator::greater},
      {">=", Operator::greater_or_equal},
  }};
  return std::find_if(operators.begin(), operators.end(),
                      [&](const auto& entry) { return entry.first == name; })
      ->second;
}

// The types of attributes that the name of a type stands for; none for MISSING.
std::vector<std::string_view> attribute_types(std::string_view name) {
  if (name == "missing") {
    return {};
  }
  if (name == "null") {
    return {"NULL"};
  }
  if (name == "bool" || name == "boolean") {
    return {"BOOL"};
  }
  if (name == "list" || name == "sexp") {
    return {"L"};
  }
  if (name == "struct" || name == "tuple") {
    return {"M"};
  }
  if (name == "bag") {
    return {"SS", "NS", "BS"};
  }
  if (name == "blob" || name == "clob") {
    return {"B"};
  }
  const bool text = name == "string" || name == "symbol" || name == "timestamp" || name.starts_with("char") ||
                    name == "varchar";
  return {text ? "S" : "N"};
}

bool is_condition(const Expression& expression) {
  switch (expression.kind) {
    case Kind::comparison:
    case Kind::between:
    case Kind::in:
    case Kind::is_type:
    case Kind::negate:
    case Kind::all:
    case Kind::any:
      return true;
    case Kind::call:
      return expression.name != "size";
    default:
      return false;
  }
}

std::optional<bool> truth_of(const Expression& expression) {
  if (expression.kind != Kind::value || expression.literal().type() != item::Type::boolean) {
    return std::nullopt;
  }
  return expression.literal().boolean();
}

// Recursion is as deep as the statement's, which nesting_max bounds.
class ConditionLowering {
 public:
  Result<expression::Condition> run(const Expression& condition);

 private:
  Status lower(const Expression& condition);
  Status lower_group(Operator op, const Expression& group);
  Status lower_comparison(const Expression& comparison);
  Status lower_is(const Expression& is);
  Result<Piece> lower_call(const Expression& call);
  Result<Piece> operand(const Expression& expression);
  Result<Pieces> operands_of(const Expression& expression);
  void add_type_test(const Piece& value, std::string_view type);

  expression::Terms terms_;
  expression::Problems problems_;
  Tree tree_{terms_, problems_};
};

Result<expression::Condition> ConditionLowering::run(const Expression& condition) {
  WAYBILL_TRY(lower(condition));
  if (const auto* text =
          problems_.first_of({Problem::function_name, Problem::function_use, Problem::condition})) {
    return invalid(*text);
  }
  return tree_.finish();
}

Status ConditionLowering::lower(const Expression& condition) {
  switch (condition.kind) {
    case Kind::all:
      return lower_group(Operator::all, condition);
    case Kind::any:
      return lower_group(Operator::any, condition);
    case Kind::negate:
      return lower_group(Operator::negate, condition);
    case Kind::comparison:
      return lower_comparison(condition);
    case Kind::is_type:
      return lower_is(condition);
    case Kind::between: {
      WAYBILL_TRY_ASSIGN(const auto operands, operands_of(condition));
      tree_.add_between(operands);
      return {};
    }
    case Kind::in: {
      WAYBILL_TRY_ASSIGN(const auto operands, operands_of(condition));
      tree_.add_in(operands);
      return {};
    }
    case Kind::call: {
      WAYBILL_TRY_ASSIGN(const auto piece, lower_call(condition));
      tree_.note_condition(piece);
      tree_.close_condition();
      return {};
    }
    default:
      return invalid("Unsupported operation in the WHERE clause: a condition was expected " +
                     condition.position.printed());
  }
}

Status ConditionLowering::lower_group(Operator op, const Expression& group) {
  const std::size_t place = tree_.open(op);
  for (const auto& operand : group.operands) {
    WAYBILL_TRY(lower(operand));
  }
  tree_.close(place);
  return {};
}

Status ConditionLowering::lower_comparison(const Expression& comparison) {
  const auto op = comparison_operator(comparison.name);
  const bool equality = op == Operator::equal || op == Operator::not_equal;
  for (std::size_t i = 0; equality && i < 2; ++i) {
    const auto& side = comparison.operands[i];
    const auto& other = comparison.operands[1 - i];
    // `begins_with(a, 'x') = true`
    if (const auto truth = truth_of(side); truth && is_condition(other)) {
      Expression negation{.kind = Kind::negate, .position = other.position};
      negation.operands.push_back(other);
      return lower(*truth == (op == Operator::equal) ? other : negation);
    }
    if (side.kind == Kind::missing) {
      Pieces operands;
      WAYBILL_TRY_ASSIGN(const auto piece, operand(other));
      operands.push_back(piece);
      tree_.add_function(op == Operator::equal ? "attribute_not_exists" : "attribute_exists", operands);
      tree_.close_condition();
      return {};
    }
  }
  WAYBILL_TRY_ASSIGN(const auto operands, operands_of(comparison));
  tree_.add_comparison(op, comparison.name, operands);
  return {};
}

Status ConditionLowering::lower_is(const Expression& is) {
  WAYBILL_TRY_ASSIGN(const auto operands, operands_of(is));
  const auto types = attribute_types(is.name);
  if (types.empty()) {
    tree_.add_function("attribute_not_exists", operands);
    tree_.close_condition();
    return {};
  }
  const std::size_t place = tree_.open(Operator::any);
  for (const auto type : types) {
    add_type_test(operands[0], type);
  }
  tree_.close(place);
  return {};
}

void ConditionLowering::add_type_test(const Piece& value, std::string_view type) {
  std::string name;
  item::append_scalar(name, item::Type::string, type);
  Pieces operands;
  operands.push_back(value);
  operands.push_back(tree_.literal(terms_.add_literal(item::ValueView(name.data()))));
  tree_.add_function("attribute_type", operands);
  tree_.close_condition();
}

Result<Piece> ConditionLowering::lower_call(const Expression& call) {
  const auto* known = std::find(functions.begin(), functions.end(), call.name);
  if (known == functions.end()) {
    return invalid("Unrecognized function: " + call.name + " " + call.position.printed());
  }
  WAYBILL_TRY_ASSIGN(const auto operands, operands_of(call));
  return tree_.add_function(*known, operands);
}

Result<Pieces> ConditionLowering::operands_of(const Expression& expression) {
  Pieces pieces;
  for (const auto& part : expression.operands) {
    WAYBILL_TRY_ASSIGN(const auto piece, operand(part));
    pieces.push_back(piece);
  }
  return pieces;
}

Result<Piece> ConditionLowering::operand(const Expression& expression) {
  switch (expression.kind) {
    case Kind::path:
      return tree_.path(add_path(terms_, expression.path));
    case Kind::value:
      return tree_.literal(terms_.add_literal(expression.literal()));
    case Kind::call:
      return lower_call(expression);
    default:
      return invalid("Unsupported operand in the WHERE clause " + expression.position.printed());
  }
}

}  // namespace

Result<expression::Condition> lower_condition(const Expression& condition) {
  return ConditionLowering().run(condition);
}

Expression all_of(std::vector<Expression> conditions) {
  return {.kind = Kind::all, .position = {}, .operands = std::move(conditions)};
}

Expression any_of(std::vector<Expression> conditions) {
  return {.kind = Kind::any, .position = {}, .operands = std::move(conditions)};
}

namespace {

Expression call_on(std::string_view function, std::string_view attribute) {
  Expression call{.kind = Kind::call, .position = {}, .name = std::string(function)};
  Expression path{.kind = Kind::path, .position = {}};
  path.path.steps.push_back({std::string(attribute)});
  call.operands.push_back(std::move(path));
  return call;
}

void gather_attributes(const Expression& expression, std::vector<std::string>& names) {
  if (expression.kind == Kind::path &&
      std::find(names.begin(), names.end(), expression.path.top_level()) == names.end()) {
    names.push_back(expression.path.top_level());
  }
  for (const auto& operand : expression.operands) {
    gather_attributes(operand, names);
  }
}

}  // namespace

Expression attribute_exists(std::string_view attribute) {
  return call_on("attribute_exists", attribute);
}

Expression attribute_not_exists(std::string_view attribute) {
  return call_on("attribute_not_exists", attribute);
}

std::vector<std::string> mentioned_attributes(const Expression& expression) {
  std::vector<std::string> names;
  gather_attributes(expression, names);
  return names;
}

}  // namespace waybill::partiql
