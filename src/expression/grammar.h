#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "expression/kind.h"
#include "expression/lexer.h"
#include "expression/placeholders.h"
#include "expression/problems.h"
#include "expression/small_vector.h"
#include "expression/terms.h"

namespace waybill::expression {

// How deep parentheses may stand in each other. Deeper ones are redundant, or the expression has more
// operators than it may have.
inline constexpr std::size_t parentheses_max = operators_max + 1;

// What the parsers of all expressions share: tokens, document paths, placeholders, and the two ways to
// fail. A syntax error ends parsing at once; all else is noted, because which problem the service reports
// depends on what else is wrong.
class Grammar {
 protected:
  Grammar(std::string_view text, ExpressionKind kind, Placeholders& placeholders)
      : kind_(kind), lexer_(text), text_(text), placeholders_(placeholders) {}

  // The text is not empty and not too long.
  Status check_text() const;

  const Token& token() const { return lexer_.current(); }
  void advance() { lexer_.advance(); }
  bool accept(std::string_view symbol);
  bool accept_keyword(std::string_view upper);
  Status expect(std::string_view symbol);

  Error fail(std::string_view text) const { return invalid_expression(kind_, text); }
  Error syntax_error() const { return fail(lexer_.syntax_error()); }

  // Every operator and function passes here; this also bounds the recursion of parsers and evaluation.
  Status count_operator();
  Status enter_parentheses();
  void leave_parentheses() { --parentheses_; }

  bool at_path() const {
    return token().kind == TokenKind::word || token().kind == TokenKind::name_placeholder;
  }
  bool at_function() const { return token().kind == TokenKind::word && lexer_.following().is("("); }

  // `a.b[3].#c`
  Result<PathId> parse_path();

  // The value placeholder that is the current token.
  LiteralId parse_literal();

  // In conditions an undefined value counts as an undefined name; the first of either is reported.
  Problem undefined_value_ = Problem::undefined_name;
  Problems problems_;
  Terms terms_;

 private:
  struct Literal {
    const char* source;
    LiteralId id;
  };

  void add_path_name(PathId& path);
  Status add_path_index(PathId& path);

  ExpressionKind kind_;
  Lexer lexer_;
  std::string_view text_;
  Placeholders& placeholders_;
  SmallVector<Literal, 4> literals_;  // a value that is used twice is kept once
  std::size_t operators_ = 0;
  std::size_t parentheses_ = 0;
};

}  // namespace waybill::expression
