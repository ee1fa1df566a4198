#pragma once

#include <string>
#include <string_view>

namespace waybill::expression {

enum class TokenKind : unsigned char {
  word,               // a letter, then letters, digits and '_'
  name_placeholder,   // #word; may begin with a digit
  value_placeholder,  // :word
  number,
  symbol,   // one of ( ) [ ] . , = <> < <= > >= + -
  unknown,  // a character that no expression has
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;

  bool is(std::string_view symbol) const { return kind == TokenKind::symbol && text == symbol; }

  // Keywords may be written in either case. `upper` is in capitals.
  bool is_keyword(std::string_view upper) const;
};

// Cuts an expression into tokens, one at a time.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text), current_(read(0)) {}

  const Token& current() const { return current_; }
  Token following() const { return read(end_of(current_)); }
  void advance();

  // 'Syntax error; token: "=", near: "= = :v"': the current token, and with it those on either side.
  std::string syntax_error() const;

 private:
  Token read(std::size_t at) const;
  std::size_t begin_of(const Token& token) const {
    return static_cast<std::size_t>(token.text.data() - text_.data());
  }
  std::size_t end_of(const Token& token) const { return begin_of(token) + token.text.size(); }

  std::string_view text_;
  Token current_;
  Token previous_;
};

}  // namespace waybill::expression
