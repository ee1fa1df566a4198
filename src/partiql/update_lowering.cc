#include <algorithm>
#include <utility>

#include "expression/update_tree.h"
#include "partiql/lowering.h"
#include "partiql/terms.h"

namespace waybill::partiql {

namespace {

using Kind = Expression::Kind;
using expression::Problem;
using Tree = expression::UpdateTree;

std::string upper_case(std::string_view lower) {
  std::string upper(lower);
  for (char& c : upper) {
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return upper;
}

bool is_set_function(const Expression& value) {
  return value.kind == Kind::call && (value.name == "set_add" || value.name == "set_delete");
}

// `SET a = set_add(a, <<'x'>>)`: the first argument is what is assigned to, the second a set.
Status check_set_function(const Path& target, const Expression& call) {
  const std::string name = upper_case(call.name);
  if (call.operands.size() != 2) {
    return invalid(name + " must have exactly two arguments " + call.position.printed());
  }
  const auto& first = call.operands[0];
  const auto& second = call.operands[1];
  if (first.kind != Kind::path || first.path != target) {
    return invalid("The first argument to " + name + " must equal the assignment value " +
                   call.position.printed());
  }
  if (second.kind != Kind::value || !item::is_set(second.literal().type())) {
    return invalid("The second argument to " + name + " must be a value with type SET " +
                   first.position.printed());
  }
  return {};
}

class UpdateLowering {
 public:
  Result<expression::Update> run(const std::vector<Change>& changes);

 private:
  Status lower(const Change& change);
  Result<Tree::Operand> operand(const Expression& expression);
  Result<Tree::Operand> sum(const Expression& expression);
  Result<Tree::Operand> function(const Expression& call);

  expression::Terms terms_;
  expression::Problems problems_;
  Tree tree_{terms_, problems_};
};

Result<expression::Update> UpdateLowering::run(const std::vector<Change>& changes) {
  for (const auto& change : changes) {
    WAYBILL_TRY(lower(change));
  }
  tree_.close_targets();
  if (const auto* text =
          problems_.first_of({Problem::function_name, Problem::overlap, Problem::conflict,
                              Problem::action_operand, Problem::function_use, Problem::operand_type})) {
    return invalid(*text);
  }
  return tree_.finish();
}

Status UpdateLowering::lower(const Change& change) {
  const auto target = add_path(terms_, change.target);
  if (!change.value) {
    tree_.remove(target);
    return {};
  }
  if (is_set_function(*change.value)) {
    WAYBILL_TRY(check_set_function(change.target, *change.value));
    const auto literal = terms_.add_literal(change.value->operands[1].literal());
    if (change.value->name == "set_add") {
      tree_.add(target, literal);
    } else {
      tree_.remove_members(target, literal);
    }
    return {};
  }
  WAYBILL_TRY_ASSIGN(const auto value, operand(*change.value));
  tree_.set(target, value);
  return {};
}

Result<Tree::Operand> UpdateLowering::operand(const Expression& expression) {
  switch (expression.kind) {
    case Kind::path:
      return tree_.path(add_path(terms_, expression.path));
    case Kind::value:
      return tree_.literal(terms_.add_literal(expression.literal()));
    case Kind::arithmetic:
      return sum(expression);
    case Kind::call:
      return function(expression);
    default:
      return invalid("Unsupported operation in the SET clause " + expression.position.printed());
  }
}

// A sum has two operands that are none themselves, as in an update expression.
Result<Tree::Operand> UpdateLowering::sum(const Expression& expression) {
  const auto is_sum = [](const Expression& part) { return part.kind == Kind::arithmetic; };
  if ((expression.name != "+" && expression.name != "-") ||
      std::any_of(expression.operands.begin(), expression.operands.end(), is_sum)) {
    return invalid("Unsupported operation in the SET clause " + expression.position.printed());
  }
  WAYBILL_TRY_ASSIGN(const auto left, operand(expression.operands[0]));
  WAYBILL_TRY_ASSIGN(const auto right, operand(expression.operands[1]));
  return tree_.sum(expression.name, left, right);
}

Result<Tree::Operand> UpdateLowering::function(const Expression& call) {
  if (call.name != "list_append") {
    return invalid("Unrecognized function: " + call.name + " " + call.position.printed());
  }
  Tree::Operands operands;
  for (const auto& part : call.operands) {
    if (part.kind == Kind::arithmetic) {
      return invalid("Unsupported operation in the SET clause " + part.position.printed());
    }
    WAYBILL_TRY_ASSIGN(const auto value, operand(part));
    operands.push_back(value);
  }
  return tree_.function("list_append", operands);
}

// The end of a path: its last name, and the indexes behind it.
std::string column_name(const Path& path) {
  std::size_t from = path.steps.size() - 1;
  while (path.steps[from].index) {
    --from;
  }
  std::string name = path.steps[from].name;
  for (++from; from < path.steps.size(); ++from) {
    name.append("[").append(std::to_string(*path.steps[from].index)).append("]");
  }
  return name;
}

}  // namespace

Result<expression::Update> lower_update(const std::vector<Change>& changes) {
  return UpdateLowering().run(changes);
}

Result<std::optional<expression::Projection>> lower_columns(const std::vector<Path>& columns) {
  if (columns.empty()) {
    return std::optional<expression::Projection>();
  }
  expression::Terms terms;
  std::vector<expression::Projection::Column> named;
  for (const auto& path : columns) {
    std::string name = column_name(path);
    const bool taken =
        std::any_of(named.begin(), named.end(), [&](const auto& column) { return column.name == name; });
    if (taken) {
      return invalid("Duplicate identifiers in select clause: " + name);
    }
    named.push_back({add_path(terms, path), std::move(name)});
  }
  return std::optional(expression::Projection::from_columns(std::move(named), std::move(terms)));
}

}  // namespace waybill::partiql
