#include "load/postgres_statements.h"

#include "load/postgres_row.h"
#include "load/request.h"

namespace waybill::load::postgres {
namespace {

// "job_id, user_id, ..." with `write` called for each column.
template <typename Write>
std::string list(std::size_t first, Write write) {
  std::string text;
  for (std::size_t i = first; i < columns.size(); ++i) {
    text.append(i == first ? "" : ", ").append(write(i));
  }
  return text;
}

std::string name(std::size_t i) {
  return std::string(columns[i].name);
}

std::string put_sql(const std::string& table) {
  return "INSERT INTO " + table + " (" + list(0, name) + ") VALUES (" +
         list(0, [](std::size_t i) { return "$" + std::to_string(i + 1); }) +
         ") ON CONFLICT (job_id) DO UPDATE SET " +
         list(1, [](std::size_t i) { return name(i) + " = EXCLUDED." + name(i); });
}

}  // namespace

std::vector<Statement> statements_for(const std::string& table) {
  const auto select = "SELECT " + list(0, name) + " FROM " + table + " WHERE ";
  std::vector<int> row_types;
  row_types.reserve(columns.size());
  for (const auto& column : columns) {
    row_types.push_back(column.type);
  }
  return {
      {get_statement, select + "job_id = $1", {text_type}},
      {put_statement, put_sql(table), row_types},
      {update_statement,
       "UPDATE " + table + " SET status = $2, updated_at = $3 WHERE job_id = $1 AND status = $4",
       {text_type, text_type, bigint_type, text_type}},
      {delete_statement, "DELETE FROM " + table + " WHERE job_id = $1", {text_type}},
      {query_statement,
       select + "user_id = $1 ORDER BY created_at DESC LIMIT " + std::to_string(query_items),
       {text_type}},
      {batch_get_statement, select + "job_id = ANY($1)", {text_array_type}},
      {scan_statement,
       select + "job_id > $1 ORDER BY job_id LIMIT " + std::to_string(scan_items),
       {text_type}},
      {begin_statement, "BEGIN", {}},
      {commit_statement, "COMMIT", {}},
  };
}

std::vector<std::string> definition_of(const std::string& table) {
  const auto typed = [](std::size_t i) {
    return name(i) + (columns[i].type == bigint_type ? " bigint NOT NULL" : " text NOT NULL") +
           (i == 0 ? " PRIMARY KEY" : "");
  };
  return {
      "DROP TABLE IF EXISTS " + table,
      "CREATE TABLE " + table + " (" + list(0, typed) + ")",
      "CREATE INDEX ON " + table + " (user_id, created_at)",
      "CREATE INDEX ON " + table + " (status, created_at)",
  };
}

std::string copy_command(const std::string& table) {
  return "COPY " + table + " (" + list(0, name) + ") FROM STDIN";
}

}  // namespace waybill::load::postgres
