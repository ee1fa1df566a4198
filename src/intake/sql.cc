#include "intake/sql.h"

namespace waybill::intake {
namespace {

std::string doubled(std::string_view text, char quote) {
  std::string made(1, quote);
  for (const char c : text) {
    made += c;
    if (c == quote) {
      made += c;
    }
  }
  return made + quote;
}

template <typename Names, typename Text>
std::string joined(const Names& names, std::string_view separator, Text text) {
  std::string made;
  for (const auto& name : names) {
    made += made.empty() ? "" : separator;
    made += text(name);
  }
  return made;
}

std::string key_list(const Source& source) {
  return joined(source.key, ", ", [](const contract::Name& name) { return identifier(name.text); });
}

std::string select(const Source& source, const std::vector<std::string>& columns) {
  return "SELECT " + joined(columns, ", ", identifier) + " FROM " + relation_of(source);
}

}  // namespace

std::string identifier(std::string_view name) {
  return doubled(name, '"');
}

// With a backslash it is an escape string, so that it means the same under every setting.
std::string literal(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    escaped += c == '\\' ? "\\\\" : std::string(1, c);
  }
  return (escaped.size() == text.size() ? "" : "E") + doubled(escaped, '\'');
}

std::string relation_of(const Source& source) {
  if (!source.query.empty()) {
    return "(" + source.query + "\n) AS source";
  }
  return (source.schema.empty() ? "" : identifier(source.schema) + ".") + identifier(source.table);
}

std::string page_statement(const Source& source, const std::vector<std::string>& columns,
                           std::size_t rows_max, bool has_start) {
  std::string statement = select(source, columns);
  if (has_start) {
    std::string parameters;
    for (std::size_t i = 1; i <= source.key.size(); ++i) {
      parameters += (i == 1 ? "$" : ", $") + std::to_string(i);
    }
    statement += " WHERE (" + key_list(source) + ") > (" + parameters + ")";
  }
  return statement + " ORDER BY " + key_list(source) + " LIMIT " + std::to_string(rows_max);
}

std::string rows_statement(const Source& source, const std::vector<std::string>& columns,
                           const std::vector<std::string>& types) {
  std::string arrays;
  std::string names;
  std::string values;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    arrays += (i == 0 ? "$" : ", $") + number + "::text[]";
    names += (i == 0 ? "k" : ", k") + number;
    values += (i == 0 ? "k" : ", k") + number + "::" + types[i];
  }
  return select(source, columns) + " WHERE (" + key_list(source) + ") IN (SELECT " + values +
         " FROM unnest(" + arrays + ") AS wanted(" + names + "))";
}

std::string count_statement(const Source& source) {
  return "SELECT count(*) FROM " + relation_of(source);
}

std::string columns_statement(const Source& source) {
  return "SELECT * FROM " + relation_of(source) + " LIMIT 0";
}

std::string key_flaw_statement(const Source& source) {
  const std::string nulls = joined(
      source.key, " OR ", [](const contract::Name& name) { return identifier(name.text) + " IS NULL"; });
  return "SELECT 1 FROM " + relation_of(source) + " GROUP BY " + key_list(source) +
         " HAVING count(*) > 1 OR " + nulls + " LIMIT 1";
}

}  // namespace waybill::intake
