#include <array>

#include "expression/grammar.h"
#include "expression/update.h"
#include "expression/update_tree.h"

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
  using Operand = UpdateTree::Operand;
  using Operands = UpdateTree::Operands;

  enum class Operation : unsigned char { set, remove, add, remove_members };

  struct Section {
    std::string_view keyword;
    Operation operation;
  };

  Status parse_section(const Section& section);
  Status parse_action(const Section& section);
  Result<Operand> parse_sum();
  Result<Operand> parse_operand();
  Result<Operand> parse_function();
  Result<Operand> parse_in_parentheses(Result<Operand> (UpdateParser::*inner)());

  UpdateTree tree_{terms_, problems_};
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
  tree_.close_targets();
  if (const auto* text = problems_.first_of({Problem::reserved_word, Problem::function_name, Problem::section,
                                             Problem::undefined_name, Problem::undefined_value,
                                             Problem::overlap, Problem::conflict, Problem::action_operand,
                                             Problem::function_use, Problem::operand_type})) {
    return fail(*text);
  }
  return tree_.finish();
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
    WAYBILL_TRY(parse_action(section));
  } while (accept(","));
  return {};
}

Status UpdateParser::parse_action(const Section& section) {
  for (const std::string_view keyword : {"SET", "REMOVE", "ADD", "DELETE"}) {
    if (token().is_keyword(keyword)) {
      return syntax_error();
    }
  }
  WAYBILL_TRY_ASSIGN(const PathId target, parse_path());
  if (section.operation == Operation::set) {
    WAYBILL_TRY(expect("="));
    WAYBILL_TRY_ASSIGN(const Operand sum, parse_sum());
    tree_.set(target, sum);
  } else if (section.operation == Operation::remove) {
    tree_.remove(target);
  } else if (token().kind != TokenKind::value_placeholder) {
    return syntax_error();
  } else if (section.operation == Operation::add) {
    tree_.add(target, parse_literal());
  } else {
    tree_.remove_members(target, parse_literal());
  }
  return {};
}

Result<UpdateParser::Operand> UpdateParser::parse_sum() {
  WAYBILL_TRY_ASSIGN(const Operand left,
                     token().is("(") ? parse_in_parentheses(&UpdateParser::parse_sum) : parse_operand());
  if (left.is_sum || (!token().is("-") && !token().is("+"))) {
    return left;
  }
  const std::string_view symbol = token().text;
  WAYBILL_TRY(count_operator());
  advance();
  WAYBILL_TRY_ASSIGN(const Operand right, parse_operand());
  return tree_.sum(symbol, left, right);
}

Result<UpdateParser::Operand> UpdateParser::parse_operand() {
  if (token().is("(")) {
    return parse_in_parentheses(&UpdateParser::parse_operand);
  }
  if (token().kind == TokenKind::value_placeholder) {
    return tree_.literal(parse_literal());
  }
  if (at_function()) {
    return parse_function();
  }
  WAYBILL_TRY_ASSIGN(const PathId path, parse_path());
  return tree_.path(path);
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
  return tree_.function(name, operands);
}

}  // namespace waybill::expression
