#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "item/value.h"
#include "partiql/lexer.h"

// Statements as they are written. What they mean for a table is found out in access.h and lowering.h.
namespace waybill::partiql {

inline constexpr std::size_t statement_length_max = 8192;

// How deep parentheses, NOTs and literals may stand in each other.
inline constexpr int nesting_max = 100;

// One step of a document path: a member's name, or an index into a list.
struct PathStep {
  std::string name;
  std::optional<uint32_t> index = {};

  bool operator==(const PathStep&) const = default;
};

// `a.b[3]`. The first step is a name.
struct Path {
  std::vector<PathStep> steps;

  bool operator==(const Path&) const = default;
  const std::string& top_level() const { return steps.front().name; }
  bool is(std::string_view attribute) const { return steps.size() == 1 && top_level() == attribute; }
};

struct Expression {
  enum class Kind : unsigned char {
    path,
    value,       // a literal, or what stands for a parameter
    missing,     // the keyword MISSING
    call,        // `name` is the function, in small letters
    arithmetic,  // `name` is the symbol
    comparison,  // `name` is one of = <> < <= > >=
    between,     // the value and its two bounds
    in,          // the value and its candidates
    is_type,     // `name` is the type, in small letters: IS MISSING, IS NULL, IS STRING …
    negate,
    all,  // AND
    any,  // OR
  };

  Kind kind = Kind::value;
  Position position;
  std::string name = {};
  Path path = {};
  std::string value = {};  // encoded
  std::vector<Expression> operands = {};

  bool is_path(std::string_view attribute) const { return kind == Kind::path && path.is(attribute); }
  item::ValueView literal() const { return item::ValueView(value.data()); }
};

// "table" or "table"."index"
struct Source {
  std::string table;
  std::optional<std::string> index;
};

struct OrderTerm {
  Path path;
  bool descending = false;
};

// SET path = value, or REMOVE path.
struct Change {
  Path target;
  std::optional<Expression> value;
};

struct Returning {
  bool modified = false;  // or ALL
  bool old = false;       // or NEW

  std::string printed() const;  // "RETURNING ALL OLD *"
};

struct Statement {
  enum class Kind : unsigned char { select, insert, update, remove, exists };

  Kind kind = Kind::select;
  Source source;
  std::vector<Path> columns;     // of a SELECT; empty for *
  std::vector<OrderTerm> order;  // of a SELECT
  item::Item item;               // of an INSERT
  std::vector<Change> changes;   // of an UPDATE
  std::optional<Expression> where;
  std::optional<Returning> returning;

  bool reads() const { return kind == Kind::select; }
};

// Errors are of kind invalid and carry the service's texts. What is not well formed is told first, then a
// wrong number of parameters, then the rest. The statement keeps copies of the parameters.
Result<Statement> parse_statement(std::string_view text, std::span<const item::ValueView> parameters);

}  // namespace waybill::partiql
