#include <array>
#include <optional>

#include "expression/grammar.h"
#include "expression/update.h"

namespace waybill::expression {

//   update   := section+                  each kind of section at most once
//   section  := SET path = sum (, …)* | REMOVE path (, …)* | ADD path value (, …)* | DELETE path value (, …)*
//   sum      := ( sum ) | operand [(+ | -) operand]
//   operand  := ( operand ) | path | value | function ( operand, … )
class UpdateParser : private Grammar {
 public:
  UpdateParser(std::string_view text, Placeholders& placeholders)
      : Grammar(text, ExpressionKind::update, placeholders) {
    undefined_value_ = Problem::undefined_value;
  }

  Result<Update> parse();

 private:
  using Operation = Update::Operation;
  using Kind = Update::Value::Kind;

  // A value of update_.values_, and what is known of it before there is an item.
  struct Operand {
    uint32_t value = 0;
    bool is_sum = false;
    bool is_path = false;
    bool is_list_append = false;
    std::optional<item::Type> type = {};  // of a literal
  };
  using Operands = SmallVector<Operand, 4>;

  struct Section {
    std::string_view keyword;
    Operation operation;
  };

  Status parse_section(const Section& section);
  Result<Update::Action> parse_action(const Section& section);
  Result<Operand> parse_sum();
  Result<Operand> parse_operand();
  Result<Operand> parse_function();
  Result<Operand> parse_in_parentheses(Result<Operand> (UpdateParser::*inner)());

  void check_function(std::string_view name, const Operands& operands);
  void check_use(const Operands& operands);
  void check_types(std::string_view name, const Operands& operands, item::Type wanted);
  void check_action_operand(const Section& section, LiteralId literal);

  uint32_t add_value(const Update::Value& value);

  Update update_;
  std::array<bool, 4> seen_{};
};

Result<Update> Update::parse(std::string_view text, Placeholders& placeholders) {
  return UpdateParser(text, placeholders).parse();
}

Result<Update> UpdateParser::parse() {
  static constexpr std::array<Section, 4> sections = {{{"SET", Operation::set},
                                                       {"REMOVE", Operation::remove},
                                                       {"ADD", Operation::add},
                                                       {"DELETE", Operation::remove_members}}};
  WAYBILL_TRY(check_text());
  do {
    const Section* found = nullptr;
    for (const Section& section : sections) {
      found = token().is_keyword(section.keyword) ? &section : found;
    }
    if (found == nullptr) {
      return syntax_error();
    }
    WAYBILL_TRY(parse_section(*found));
  } while (token().kind != TokenKind::end);
  update_.targets_.sort(terms_);
  update_.targets_.note_overlaps(terms_, problems_);
  if (const auto* text = problems_.first_of({Problem::reserved_word, Problem::function_name, Problem::section,
                                             Problem::undefined_name, Problem::undefined_value,
                                             Problem::overlap, Problem::conflict, Problem::action_operand,
                                             Problem::function_use, Problem::operand_type})) {
    return fail(*text);
  }
  update_.terms_ = std::move(terms_);
  return std::move(update_);
}

Status UpdateParser::parse_section(const Section& section) {
  advance();
  bool& seen = seen_[static_cast<std::size_t>(section.operation)];
  if (seen) {
    problems_.note(Problem::section, "The \"" + std::string(section.keyword) +
                                         "\" section can only be used once in an update expression;");
  }
  seen = true;
  do {
    WAYBILL_TRY_ASSIGN(const Update::Action action, parse_action(section));
    update_.actions_.push_back(action);
    update_.targets_.add(action.target);
  } while (accept(","));
  return {};
}

Result<Update::Action> UpdateParser::parse_action(const Section& section) {
  Update::Action action{.operation = section.operation};
  for (const std::string_view keyword : {"SET", "REMOVE", "ADD", "DELETE"}) {
    if (token().is_keyword(keyword)) {
      return syntax_error();
    }
  }
  WAYBILL_TRY_ASSIGN(action.target, parse_path());
  if (section.operation == Operation::set) {
    WAYBILL_TRY(expect("="));
    WAYBILL_TRY_ASSIGN(const Operand sum, parse_sum());
    action.value = sum.value;
  } else if (section.operation != Operation::remove) {
    if (token().kind != TokenKind::value_placeholder) {
      return syntax_error();
    }
    action.literal = parse_literal();
    check_action_operand(section, action.literal);
  }
  return action;
}

Result<UpdateParser::Operand> UpdateParser::parse_sum() {
  WAYBILL_TRY_ASSIGN(const Operand left,
                     token().is("(") ? parse_in_parentheses(&UpdateParser::parse_sum) : parse_operand());
  const bool minus = token().is("-");
  if (left.is_sum || (!minus && !token().is("+"))) {
    return left;
  }
  const std::string_view symbol = token().text;
  WAYBILL_TRY(count_operator());
  advance();
  WAYBILL_TRY_ASSIGN(const Operand right, parse_operand());
  Operands operands;
  operands.push_back(left);
  operands.push_back(right);
  check_use(operands);
  check_types(symbol, operands, item::Type::number);
  const auto kind = minus ? Kind::minus : Kind::plus;
  return Operand{.value = add_value({.kind = kind, .left = left.value, .right = right.value}),
                 .is_sum = true};
}

Result<UpdateParser::Operand> UpdateParser::parse_operand() {
  if (token().is("(")) {
    return parse_in_parentheses(&UpdateParser::parse_operand);
  }
  if (token().kind == TokenKind::value_placeholder) {
    const LiteralId literal = parse_literal();
    return Operand{.value = add_value({.kind = Kind::literal, .literal = literal}),
                   .type = terms_.literal(literal).type()};
  }
  if (at_function()) {
    return parse_function();
  }
  WAYBILL_TRY_ASSIGN(const PathId path, parse_path());
  return Operand{.value = add_value({.kind = Kind::path, .path = path}), .is_path = true};
}

Result<UpdateParser::Operand> UpdateParser::parse_in_parentheses(Result<Operand> (UpdateParser::*inner)()) {
  WAYBILL_TRY(enter_parentheses());
  advance();
  WAYBILL_TRY_ASSIGN(const Operand operand, (this->*inner)());
  WAYBILL_TRY(expect(")"));
  leave_parentheses();
  return operand;
}

Result<UpdateParser::Operand> UpdateParser::parse_function() {
  const std::string_view name = token().text;
  WAYBILL_TRY(count_operator());
  advance();
  WAYBILL_TRY(expect("("));
  Operands operands;
  do {
    WAYBILL_TRY_ASSIGN(const Operand operand, parse_operand());
    operands.push_back(operand);
  } while (accept(","));
  WAYBILL_TRY(expect(")"));
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

void UpdateParser::check_function(std::string_view name, const Operands& operands) {
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
void UpdateParser::check_use(const Operands& operands) {
  for (const Operand& operand : operands) {
    if (operand.is_list_append) {
      problems_.note(
          Problem::function_use,
          "The function is not allowed to be used this way in an expression; function: list_append");
    }
  }
}

void UpdateParser::check_types(std::string_view name, const Operands& operands, item::Type wanted) {
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

void UpdateParser::check_action_operand(const Section& section, LiteralId literal) {
  static constexpr std::array<std::string_view, 10> names = {
      "NULL",       "BOOLEAN",    "STRING",     "NUMBER", "BINARY",
      "STRING_SET", "NUMBER_SET", "BINARY_SET", "LIST",   "MAP"};
  const item::Type type = terms_.literal(literal).type();
  const bool number_for_add = section.operation == Operation::add && type == item::Type::number;
  if (item::is_set(type) || number_for_add) {
    return;
  }
  problems_.note(Problem::action_operand,
                 std::string("Incorrect operand type for operator or function; operator: ")
                     .append(section.keyword)
                     .append(", operand type: ")
                     .append(names[static_cast<std::size_t>(type)])
                     .append(", typeSet: ALLOWED_FOR_")
                     .append(section.keyword)
                     .append("_OPERAND"));
}

uint32_t UpdateParser::add_value(const Update::Value& value) {
  update_.values_.push_back(value);
  return static_cast<uint32_t>(update_.values_.size() - 1);
}

}  // namespace waybill::expression
