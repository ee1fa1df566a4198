#include "expression/grammar.h"

#include <charconv>

#include "expression/reserved.h"

namespace waybill::expression {

namespace {

constexpr uint32_t index_max = INT32_MAX;
constexpr char null_value[] = {0};

}  // namespace

Status Grammar::check_text() const {
  if (text_.empty()) {
    return fail("The expression can not be empty;");
  }
  if (text_.size() > expression_bytes_max) {
    return fail("Expression size has exceeded the maximum allowed size; expression size: " +
                std::to_string(text_.size()));
  }
  return {};
}

bool Grammar::accept(std::string_view symbol) {
  if (!token().is(symbol)) {
    return false;
  }
  advance();
  return true;
}

bool Grammar::accept_keyword(std::string_view upper) {
  if (!token().is_keyword(upper)) {
    return false;
  }
  advance();
  return true;
}

Status Grammar::expect(std::string_view symbol) {
  if (!accept(symbol)) {
    return syntax_error();
  }
  return {};
}

Status Grammar::count_operator() {
  if (++operators_ > operators_max) {
    return fail("The expression contains too many operators; operator count: " + std::to_string(operators_));
  }
  return {};
}

Status Grammar::enter_parentheses() {
  if (++parentheses_ > parentheses_max) {
    return fail("The expression has redundant parentheses;");
  }
  return {};
}

Result<PathId> Grammar::parse_path() {
  if (!at_path()) {
    return syntax_error();
  }
  PathId path = terms_.begin_path();
  add_path_name(path);
  for (;;) {
    if (accept(".")) {
      if (!at_path()) {
        return syntax_error();
      }
      add_path_name(path);
    } else if (accept("[")) {
      WAYBILL_TRY(add_path_index(path));
    } else {
      break;
    }
  }
  if (path.count > path_parts_max) {
    problems_.note(
        Problem::undefined_name,
        "The document path has too many nesting levels; nesting levels: " + std::to_string(path.count));
  }
  return path;
}

void Grammar::add_path_name(PathId& path) {
  const Token name = token();
  advance();
  if (name.kind == TokenKind::word) {
    if (is_reserved(name.text)) {
      problems_.note(Problem::reserved_word,
                     "Attribute name is a reserved keyword; reserved keyword: " + std::string(name.text));
    }
    terms_.add_name(path, name.text);
    return;
  }
  const auto meant = placeholders_.use_name(name.text);
  if (!meant) {
    problems_.note(Problem::undefined_name,
                   "An expression attribute name used in the document path is not defined; attribute name: " +
                       std::string(name.text));
  }
  terms_.add_name(path, meant.value_or(name.text));
}

Status Grammar::add_path_index(PathId& path) {
  if (token().kind != TokenKind::number) {
    return syntax_error();
  }
  const std::string_view digits = token().text;
  uint32_t index = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (code != std::errc() || index > index_max) {
    problems_.note(Problem::undefined_name,
                   "List index is not within the allowable range; index: [" + std::string(digits) + "]");
  }
  advance();
  terms_.add_index(path, index);
  return expect("]");
}

LiteralId Grammar::parse_literal() {
  const std::string_view key = token().text;
  advance();
  const auto value = placeholders_.use_value(key);
  if (!value) {
    problems_.note(undefined_value_,
                   "An expression attribute value used in expression is not defined; attribute value: " +
                       std::string(key));
    return terms_.add_literal(item::ValueView(null_value));
  }
  const char* const source = value->encoded().data();
  for (const auto& known : literals_) {
    if (known.source == source) {
      return known.id;
    }
  }
  const LiteralId id = terms_.add_literal(*value);
  literals_.push_back({source, id});
  return id;
}

}  // namespace waybill::expression
