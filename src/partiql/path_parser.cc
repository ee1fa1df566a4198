#include <charconv>
#include <string>

#include "expression/terms.h"
#include "partiql/parser.h"

namespace waybill::partiql {

bool Parser::at_name() const {
  return token().kind == TokenKind::identifier || (token().kind == TokenKind::word && !token().is_reserved());
}

// The first token is a name.
Result<Path> Parser::parse_path() {
  Path path;
  path.steps.push_back({token().text});
  advance();
  for (;;) {
    if (accept(".")) {
      if (!at_name()) {
        return not_well_formed("Invalid path dot component");
      }
      path.steps.push_back({token().text});
      advance();
    } else if (accept("[")) {
      WAYBILL_TRY(parse_path_index(path));
    } else {
      break;
    }
  }
  if (path.steps.size() > expression::path_parts_max) {
    note(invalid("The document path has too many nesting levels; nesting levels: " +
                 std::to_string(path.steps.size())));
  }
  return path;
}

// `[3]`, or a name as `['name']`.
Status Parser::parse_path_index(Path& path) {
  if (token().kind == TokenKind::string) {
    path.steps.push_back({token().text});
  } else {
    uint32_t index = 0;
    const std::string& text = token().text;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), index);
    if (token().kind != TokenKind::number || code != std::errc() || end != text.data() + text.size() ||
        index > INT32_MAX) {
      return not_well_formed("Invalid path dot component");
    }
    path.steps.push_back({{}, index});
  }
  advance();
  return expect("]");
}

}  // namespace waybill::partiql
