#include "expression/lexer.h"

#include <algorithm>

namespace waybill::expression {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_word_character(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}

char to_upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

// How many characters at the front satisfy `test`.
template <typename Test>
std::size_t run_length(std::string_view text, Test test) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), test) - text.begin());
}

std::size_t symbol_length(std::string_view text) {
  if (text.starts_with("<>") || text.starts_with("<=") || text.starts_with(">=")) {
    return 2;
  }
  return std::string_view("()[].,=<>+-").find(text[0]) != std::string_view::npos ? 1 : 0;
}

// The bytes of the UTF-8 character at the front, so that messages stay valid text.
std::size_t character_length(std::string_view text) {
  return 1 + run_length(text.substr(1), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; });
}

Token token_at(std::string_view rest) {
  const char first = rest[0];
  if (is_letter(first)) {
    return {TokenKind::word, rest.substr(0, run_length(rest, is_word_character))};
  }
  if (is_digit(first)) {
    return {TokenKind::number, rest.substr(0, run_length(rest, is_digit))};
  }
  if (first == '#' || first == ':') {
    const std::size_t length = run_length(rest.substr(1), is_word_character);
    if (length > 0) {
      return {first == '#' ? TokenKind::name_placeholder : TokenKind::value_placeholder, rest.substr(0, length + 1)};
    }
  }
  if (const std::size_t length = symbol_length(rest); length > 0) {
    return {TokenKind::symbol, rest.substr(0, length)};
  }
  return {TokenKind::unknown, rest.substr(0, character_length(rest))};
}

}  // namespace

bool Token::is_keyword(std::string_view upper) const {
  return kind == TokenKind::word && text.size() == upper.size() &&
         std::equal(text.begin(), text.end(), upper.begin(), [](char a, char b) { return to_upper(a) == b; });
}

void Lexer::advance() {
  previous_ = current_;
  current_ = read(end_of(current_));
}

Token Lexer::read(std::size_t at) const {
  at += run_length(text_.substr(at), is_space);
  if (at == text_.size()) {
    return {TokenKind::end, text_.substr(at)};
  }
  return token_at(text_.substr(at));
}

std::string Lexer::syntax_error() const {
  const bool at_end = current_.kind == TokenKind::end;
  const std::size_t from = previous_.text.data() != nullptr ? begin_of(previous_) : begin_of(current_);
  const Token next = following();
  std::size_t to = next.kind == TokenKind::end ? end_of(current_) : end_of(next);
  if (at_end) {
    to = previous_.text.data() != nullptr ? end_of(previous_) : from;
  }
  return std::string("Syntax error; token: \"")
      .append(at_end ? "<EOF>" : current_.text)
      .append("\", near: \"")
      .append(text_.substr(from, to - from))
      .append("\"");
}

}  // namespace waybill::expression
