#include "partiql/keywords.h"

#include <algorithm>
#include <array>

namespace waybill::partiql {

namespace {

// Sorted: looked up by halves.
// clang-format off
constexpr auto words = std::to_array<std::string_view>({
    "absolute", "action", "add", "all", "allocate", "alter", "and", "any", "are", "as", "asc", "assertion",
    "at", "authorization", "avg", "begin", "between", "bit", "bit_length", "by", "cascade", "cascaded",
    "case", "cast", "catalog", "char", "char_length", "character", "character_length", "check", "close",
    "coalesce", "collate", "collation", "column", "commit", "connect", "connection", "constraint",
    "constraints", "continue", "convert", "corresponding", "count", "create", "cross", "current",
    "current_date", "current_time", "current_timestamp", "current_user", "cursor", "date", "deallocate",
    "dec", "decimal", "declare", "default", "deferrable", "deferred", "delete", "desc", "describe",
    "descriptor", "diagnostics", "disconnect", "distinct", "domain", "double", "drop", "else", "end",
    "escape", "except", "exception", "exec", "execute", "exists", "external", "extract", "false", "fetch",
    "first", "float", "for", "foreign", "found", "from", "full", "get", "global", "go", "goto", "grant",
    "group", "having", "identity", "immediate", "in", "indicator", "initially", "inner", "input",
    "insensitive", "insert", "int", "integer", "intersect", "interval", "into", "is", "isolation", "join",
    "key", "language", "last", "left", "level", "like", "limit", "local", "lower", "match", "max", "min",
    "missing", "module", "names", "national", "natural", "nchar", "next", "no", "not", "null", "nullif",
    "numeric", "octet_length", "of", "on", "only", "open", "option", "or", "order", "outer", "output",
    "overlaps", "pad", "partial", "pivot", "position", "precision", "prepare", "preserve", "primary",
    "prior", "privileges", "procedure", "public", "read", "real", "references", "relative", "remove",
    "restrict", "revoke", "right", "rollback", "rows", "schema", "scroll", "section", "select", "session",
    "session_user", "set", "size", "smallint", "some", "space", "sql", "sqlcode", "sqlerror", "sqlstate",
    "substring", "sum", "system_user", "table", "temporary", "then", "time", "timestamp", "to",
    "transaction", "translate", "translation", "trim", "true", "union", "unique", "unknown", "unpivot",
    "update", "upper", "usage", "user", "using", "value", "values", "varchar", "varying", "view", "when",
    "whenever", "where", "with", "work", "write", "zone",
});
// clang-format on

static_assert(std::ranges::is_sorted(words));

}  // namespace

bool is_reserved(std::string_view lower) {
  return std::ranges::binary_search(words, lower);
}

}  // namespace waybill::partiql
