#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "partiql/lexer.h"
#include "partiql/statement.h"

namespace waybill::partiql {

// Reads statements:
//
//   statement  := (select | insert | update | delete | exists) [;]
//   select     := SELECT (* | path, …) FROM source [WHERE condition] [ORDER BY path [ASC | DESC], …]
//   insert     := INSERT INTO source VALUE map
//   update     := UPDATE source change+ [WHERE condition] [returning]
//               | FROM source [WHERE condition] change+ [returning]
//   delete     := DELETE FROM source [WHERE condition] [returning]
//   exists     := EXISTS ( select )
//   change     := SET path = sum, … | REMOVE path, …
//   returning  := RETURNING (ALL | MODIFIED) (OLD | NEW) *
//   condition  := conjunction (OR conjunction)*
//   conjunction:= negation (AND negation)*
//   negation   := NOT negation | comparison
//   comparison := sum [comparator sum | [NOT] BETWEEN sum AND sum | [NOT] IN candidates | IS [NOT] type]
//   candidates := ( sum, … ) | [ sum, … ] | ?
//   sum        := term ((+ | - | * | / | % | ||) term)*
//   term       := ( condition ) | path | value | function ( [condition, …] )
//   value      := string | [+ | -] number | TRUE | FALSE | NULL | ? | { string: value, … } | [ value, … ]
//               | << value, … >>
//
// A syntax error ends parsing at once; all else is noted, and the first of it is told.
class Parser {
 public:
  Parser(std::vector<Token> tokens, std::span<const item::ValueView> parameters)
      : tokens_(std::move(tokens)), parameters_(parameters) {}

  Result<Statement> parse();

 private:
  class Nesting;

  static constexpr std::string_view no_manipulation = "Expected data manipulation";

  const Token& token() const { return tokens_[at_]; }
  const Token& following() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  void advance() { at_ += at_ + 1 < tokens_.size() ? 1 : 0; }
  bool at_end() const { return token().kind == TokenKind::end || token().is(";"); }
  bool accept(std::string_view symbol);
  bool accept_keyword(std::string_view upper);
  Status expect(std::string_view symbol);
  Status expect_keyword(std::string_view upper);
  void note(Error error);

  // Statements: parser.cc.
  Result<Statement> parse_any();
  Status parse_select(Statement& statement);
  Status parse_insert(Statement& statement);
  Status parse_update(Statement& statement);
  Status parse_from_first(Statement& statement);
  Status parse_delete(Statement& statement);
  Status parse_exists(Statement& statement);
  Status refuse_expression();

  // Their clauses: clause_parser.cc.
  Status parse_columns(Statement& statement);
  Status parse_source(Statement& statement);
  Status parse_target(Statement& statement);
  void skip_alias();
  Status parse_where(Statement& statement);
  Status parse_order(Statement& statement);
  Status parse_changes(Statement& statement);
  Status parse_change(Statement& statement, bool sets);
  Status parse_returning(Statement& statement);
  void check_source(const Statement& statement, const Position& position);

  // Conditions: expression_parser.cc.
  Result<Expression> parse_condition();
  Result<Expression> parse_conjunction();
  Result<Expression> parse_chain(Expression::Kind kind, std::string_view keyword,
                                 Result<Expression> (Parser::*step)());
  Result<Expression> parse_negation();
  Result<Expression> parse_comparison();
  Result<Expression> parse_tail(Expression left);
  Result<Expression> parse_between(Expression left);
  Result<Expression> parse_in(Expression left);
  Result<Expression> parse_is(Expression left);
  Result<Expression> parse_right_side();
  Result<Expression> parse_sum();
  Result<Expression> parse_term();
  Result<Expression> parse_parentheses();
  Result<Expression> parse_call();
  Status parse_operands(std::vector<Expression>& operands, std::string_view closing);
  Error unexpected_term() const;

  // Names: path_parser.cc.
  bool at_name() const;
  Result<Path> parse_path();
  Status parse_path_index(Path& path);

  // Values: value_parser.cc.
  bool at_value() const;
  Result<Expression> parse_value();
  // `place` is where the value stands inside the whole one, "root.a[1]". It is empty for an item, of which
  // each attribute is a value of its own.
  Status append_value(std::string& out, const std::string& place);
  Status append_any(std::string& out, const std::string& place);
  Status append_number(std::string& out, const std::string& place);
  Status append_list(std::string& out, const std::string& place);
  Status append_map(std::string& out, const std::string& place);
  Status append_set(std::string& out);
  void add_set(std::string& out, const std::vector<std::string>& values);
  Status append_members(std::string& out, const std::string& place);
  Status append_unsupported(std::string& out, const std::string& place);
  void append_parameter(std::string& out);
  void check_levels(int levels);

  std::vector<Token> tokens_;
  std::span<const item::ValueView> parameters_;
  std::size_t at_ = 0;
  std::size_t parameters_used_ = 0;
  int nesting_ = 0;
  int value_levels_ = 0;
  std::optional<Error> noted_;
};

// Counts how deep the parser is inside itself for as long as it lives.
class Parser::Nesting {
 public:
  explicit Nesting(Parser& parser) : parser_(parser) { ++parser_.nesting_; }
  ~Nesting() { --parser_.nesting_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

  bool is_too_deep() const { return parser_.nesting_ > nesting_max; }

 private:
  Parser& parser_;
};

}  // namespace waybill::partiql
