#include "partiql/lexer.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "partiql/keywords.h"

namespace waybill::partiql {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool begins_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

// The first byte of a character in UTF-8; the others do not count as columns.
bool begins_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

// Symbols of two characters come before those that they begin with.
constexpr std::string_view symbols[] = {"<<", ">>", "<=", ">=", "<>", "!=", "||", "(", ")",
                                        "[",  "]",  "{",  "}",  ".",  ",",  ":",  ";", "=",
                                        "<",  ">",  "+",  "-",  "*",  "/",  "%"};

// The digits behind the point less the exponent must fit an int32, and so must the exponent.
bool fits_scale(std::string_view number) {
  const std::size_t mark = number.find_first_of("eE");
  if (mark == std::string_view::npos) {
    return true;
  }
  std::string_view digits = number.substr(mark + 1);
  if (digits.starts_with('+')) {
    digits.remove_prefix(1);
  }
  int64_t exponent = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  const std::size_t point = number.find('.');
  const int64_t fraction = point == std::string_view::npos ? 0 : static_cast<int64_t>(mark - point - 1);
  const auto fits = [](int64_t value) { return value >= INT32_MIN && value <= INT32_MAX; };
  return code == std::errc() && fits(exponent) && fits(fraction - exponent);
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  Result<std::vector<Token>> run();

 private:
  char at(std::size_t place) const { return place < text_.size() ? text_[place] : '\0'; }
  bool follows(std::string_view piece) const { return text_.substr(at_).starts_with(piece); }

  // Moves on to `end`, counting lines and characters.
  void move_to(std::size_t end);
  // Comments and spaces; false for a comment that does not end.
  bool skip_blank();
  bool add_token();
  bool add_quoted(TokenKind kind);
  bool add_number();
  bool add_symbol();
  void add(TokenKind kind, std::string text, std::size_t end);

  std::string_view text_;
  std::size_t at_ = 0;
  uint32_t line_ = 1;
  uint32_t column_ = 1;
  std::vector<Token> tokens_;
};

void Tokenizer::move_to(std::size_t end) {
  for (; at_ < end; ++at_) {
    if (text_[at_] == '\n') {
      ++line_;
      column_ = 1;
    } else if (begins_character(text_[at_])) {
      ++column_;
    }
  }
}

bool Tokenizer::skip_blank() {
  for (;;) {
    if (is_space(at(at_))) {
      move_to(at_ + 1);
    } else if (follows("--")) {
      move_to(std::min(text_.find('\n', at_), text_.size()));
    } else if (follows("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end == std::string_view::npos) {
        return false;
      }
      move_to(end + 2);
    } else {
      return true;
    }
  }
}

void Tokenizer::add(TokenKind kind, std::string text, std::size_t end) {
  Token token{kind, std::move(text), {line_, column_, 0}};
  token.position.length = static_cast<uint32_t>(
      std::count_if(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                    text_.begin() + static_cast<std::ptrdiff_t>(end), begins_character));
  tokens_.push_back(std::move(token));
  move_to(end);
}

bool Tokenizer::add_token() {
  const char first = at(at_);
  if (first == '\'' || first == '"') {
    return add_quoted(first == '"' ? TokenKind::identifier : TokenKind::string);
  }
  if (is_digit(first) || (first == '.' && is_digit(at(at_ + 1)))) {
    return add_number();
  }
  if (begins_word(first)) {
    std::size_t end = at_ + 1;
    while (begins_word(at(end)) || is_digit(at(end))) {
      ++end;
    }
    add(TokenKind::word, std::string(text_.substr(at_, end - at_)), end);
    return true;
  }
  if (first == '?') {
    add(TokenKind::parameter, "?", at_ + 1);
    return true;
  }
  return add_symbol();
}

// A quote inside is written twice.
bool Tokenizer::add_quoted(TokenKind kind) {
  const char quote = text_[at_];
  std::string content;
  for (std::size_t end = at_ + 1; end < text_.size(); ++end) {
    if (text_[end] != quote) {
      content.push_back(text_[end]);
    } else if (at(end + 1) == quote) {
      content.push_back(quote);
      ++end;
    } else {
      add(kind, std::move(content), end + 1);
      return true;
    }
  }
  return false;
}

bool Tokenizer::add_number() {
  std::size_t end = at_;
  const auto skip_digits = [&] {
    while (is_digit(at(end))) {
      ++end;
    }
  };
  skip_digits();
  if (at(end) == '.') {
    ++end;
    skip_digits();
  }
  if (at(end) == 'e' || at(end) == 'E') {
    const std::size_t mark = end;
    end += at(end + 1) == '+' || at(end + 1) == '-' ? 2 : 1;
    if (!is_digit(at(end))) {
      end = mark;  // a word that follows
    }
    skip_digits();
  }
  std::string text(text_.substr(at_, end - at_));
  if (!fits_scale(text)) {
    return false;
  }
  add(TokenKind::number, std::move(text), end);
  return true;
}

bool Tokenizer::add_symbol() {
  for (const auto symbol : symbols) {
    if (follows(symbol)) {
      add(TokenKind::symbol, std::string(symbol), at_ + symbol.size());
      return true;
    }
  }
  return false;
}

Result<std::vector<Token>> Tokenizer::run() {
  for (;;) {
    if (!skip_blank()) {
      return not_well_formed("");
    }
    if (at_ >= text_.size()) {
      break;
    }
    if (!add_token()) {
      return not_well_formed("");
    }
  }
  tokens_.push_back({TokenKind::end, {}, {line_, column_, 0}});
  return std::move(tokens_);
}

}  // namespace

std::string Position::printed() const {
  return "at " + std::to_string(line) + ":" + std::to_string(column) + ":" + std::to_string(length);
}

bool Token::is_keyword(std::string_view upper) const {
  return kind == TokenKind::word && text.size() == upper.size() &&
         std::equal(text.begin(), text.end(), upper.begin(),
                    [](char a, char b) { return a == b || (a >= 'a' && a <= 'z' && a - 'a' + 'A' == b); });
}

bool Token::is_reserved() const {
  return kind == TokenKind::word && partiql::is_reserved(lower_case(text));
}

std::string lower_case(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return lower;
}

Error not_well_formed(std::string_view detail) {
  return invalid(std::string("Statement wasn't well formed, can't be processed: ").append(detail));
}

Result<std::vector<Token>> tokenize(std::string_view statement) {
  return Tokenizer(statement).run();
}

}  // namespace waybill::partiql
