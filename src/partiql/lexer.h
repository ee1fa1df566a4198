#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace waybill::partiql {

// Where a token stands in its statement, as the service tells it: line and column from 1, in characters.
struct Position {
  uint32_t line = 1;
  uint32_t column = 1;
  uint32_t length = 0;

  // "at 1:27:6"
  std::string printed() const;
};

enum class TokenKind : unsigned char {
  word,        // a name or a keyword
  identifier,  // "name"
  string,      // 'text'
  number,
  parameter,  // ?
  symbol,     // one of ( ) [ ] { } << >> . , : ; = <> != < <= > >= + - * / % ||
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string text;  // without quotes
  Position position;

  bool is(std::string_view symbol) const { return kind == TokenKind::symbol && text == symbol; }

  // Keywords may be written in either case. `upper` is in capitals.
  bool is_keyword(std::string_view upper) const;

  // Whether it is a keyword, which can't be a name unless it is put in quotes.
  bool is_reserved() const;
};

std::string lower_case(std::string_view word);

// "Statement wasn't well formed, can't be processed: " and the detail.
Error not_well_formed(std::string_view detail);

// Cuts a statement into tokens; comments are left out. The last token is `end`. A character that no statement
// has, an open quote or comment, and a number whose exponent is out of all range: not well formed, without a
// detail.
Result<std::vector<Token>> tokenize(std::string_view statement);

}  // namespace waybill::partiql
