#include "expression/lexer.h"

#include <algorithm>
#include <array>

namespace waybill::expression {

namespace {

enum CharacterClass : unsigned char { space = 1, letter = 2, digit = 4, underscore = 8, symbol = 16 };

constexpr unsigned char word_character = letter | digit | underscore;

constexpr std::array<unsigned char, 256> make_classes() {
  std::array<unsigned char, 256> classes{};
  const auto set = [&classes](std::string_view characters, CharacterClass value) {
    for (const char c : characters) {
      classes[static_cast<unsigned char>(c)] = value;
    }
  };
  set(" \t\r\n", space);
  set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", letter);
  set("0123456789", digit);
  set("_", underscore);
  set("()[].,=<>+-", symbol);
  return classes;
}

constexpr auto classes = make_classes();

bool is_of(char c, unsigned char wanted) {
  return (classes[static_cast<unsigned char>(c)] & wanted) != 0;
}

char to_upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

// How many characters at the front are of one of the classes.
std::size_t run_length(std::string_view text, unsigned char wanted) {
  std::size_t length = 0;
  while (length < text.size() && is_of(text[length], wanted)) {
    ++length;
  }
  return length;
}

std::size_t symbol_length(std::string_view text) {
  const bool two = text.starts_with("<>") || text.starts_with("<=") || text.starts_with(">=");
  return two ? 2 : 1;
}

// The bytes of the UTF-8 character at the front, so that messages stay valid text.
std::size_t character_length(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) {
    ++length;
  }
  return length;
}

Token token_at(std::string_view rest) {
  const char first = rest[0];
  if (is_of(first, letter)) {
    return {TokenKind::word, rest.substr(0, run_length(rest, word_character))};
  }
  if (is_of(first, symbol)) {
    return {TokenKind::symbol, rest.substr(0, symbol_length(rest))};
  }
  if (is_of(first, digit)) {
    return {TokenKind::number, rest.substr(0, run_length(rest, digit))};
  }
  if (first == '#' || first == ':') {
    const std::size_t length = run_length(rest.substr(1), word_character);
    if (length > 0) {
      return {first == '#' ? TokenKind::name_placeholder : TokenKind::value_placeholder,
              rest.substr(0, length + 1)};
    }
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
  at += run_length(text_.substr(at), space);
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
