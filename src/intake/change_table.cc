#include "intake/change_table.h"

#include <utility>

#include "base/bytes.h"
#include "http/sha256.h"
#include "intake/sql.h"

namespace waybill::intake {
namespace {

// Two mappings of one table each need lines of their own.
std::string name_for(const Mapping& mapping) {
  constexpr std::size_t readable_max = 32;  // PostgreSQL cuts names off at 63 bytes
  constexpr std::size_t digits = 8;
  std::string readable;
  for (const char c : mapping.source.table.substr(0, readable_max)) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    readable += is_plain ? c : '_';
  }
  const auto& target = mapping.target;
  const auto hash = http::sha256(mapping.source.schema + "\n" + mapping.source.table + "\n" +
                                 target.contract + "\n" + target.record + "\n" + target.table);
  return "waybill_changes_" + readable + "_" + hex_lower(http::bytes_of(hash)).substr(0, digits);
}

std::string values_of(const std::string& row, const std::vector<std::string>& columns) {
  std::string text;
  for (const auto& column : columns) {
    text += (text.empty() ? "" : ", ") + row + "." + identifier(column) + "::text";
  }
  return "ARRAY[" + text + "]";
}

}  // namespace

ChangeTable::ChangeTable(const Mapping& mapping, std::string schema)
    : schema_(std::move(schema)), table_(mapping.source.table), name_(name_for(mapping)) {}

std::string ChangeTable::name() const {
  return identifier(schema_) + "." + identifier(name_);
}

// Values are printed as the importer reads them, whatever the settings of the session that changes a row are;
// and with the rights of whoever installed it, since the application has none on the lines.
std::string ChangeTable::function_text(const std::vector<std::string>& columns) const {
  const std::string body =
      std::string("BEGIN\n") + "  IF TG_OP = 'TRUNCATE' THEN\n" +
      "    RAISE EXCEPTION '% is being moved, and its changes are noted row by row: use "
      "DELETE', TG_TABLE_NAME;\n" +
      "  ELSIF TG_OP = 'INSERT' THEN\n" + "    INSERT INTO " + name() + " (became) VALUES (" +
      values_of("NEW", columns) + ");\n" + "  ELSIF TG_OP = 'UPDATE' THEN\n" + "    INSERT INTO " + name() +
      " (was, became) VALUES (" + values_of("OLD", columns) + ", " + values_of("NEW", columns) + ");\n" +
      "  ELSE\n" + "    INSERT INTO " + name() + " (was) VALUES (" + values_of("OLD", columns) + ");\n" +
      "  END IF;\n" + "  PERFORM pg_notify(" + literal(name_) + ", '');\n" + "  RETURN NULL;\n" + "END";
  return "CREATE FUNCTION " + name() +
         "() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp "
         "SET timezone = 'UTC' SET datestyle = 'ISO, MDY' SET intervalstyle = 'postgres' SET "
         "extra_float_digits = 1 "
         "SET bytea_output = 'hex' AS " +
         literal(body);
}

std::vector<std::string> ChangeTable::install(const std::vector<std::string>& columns) const {
  const std::string source = identifier(schema_) + "." + identifier(table_);
  const std::string rows = identifier(name_ + "_row");
  const std::string truncate = identifier(name_ + "_all");
  return {
      "CREATE TABLE " + name() +
          " (seq bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp(), was text[], "
          "became "
          "text[])",
      "COMMENT ON TABLE " + name() +
          " IS 'Rows that have changed and are not brought to Waybill yet. waybill import postgres --finish "
          "removes it.'",
      function_text(columns),
      "CREATE TRIGGER " + rows + " AFTER INSERT OR UPDATE OR DELETE ON " + source +
          " FOR EACH ROW EXECUTE FUNCTION " + name() + "()",
      "CREATE TRIGGER " + truncate + " BEFORE TRUNCATE ON " + source +
          " FOR EACH STATEMENT EXECUTE FUNCTION " + name() + "()",
      // Also for what replication writes.
      "ALTER TABLE " + source + " ENABLE ALWAYS TRIGGER " + rows,
      "ALTER TABLE " + source + " ENABLE ALWAYS TRIGGER " + truncate,
  };
}

std::vector<std::string> ChangeTable::remove() const {
  return {"DROP FUNCTION IF EXISTS " + name() + "() CASCADE", "DROP TABLE IF EXISTS " + name()};
}

std::string ChangeTable::exists_statement() const {
  return "SELECT to_regclass(" + literal(name()) + ") IS NOT NULL";
}

std::string ChangeTable::lines_statement(std::size_t lines_max) const {
  return "SELECT seq, was, became FROM " + name() + " ORDER BY seq LIMIT " + std::to_string(lines_max);
}

std::string ChangeTable::forget_statement() const {
  return "DELETE FROM " + name() + " WHERE seq = ANY($1::bigint[])";
}

std::string ChangeTable::lag_statement() const {
  return "SELECT count(*), coalesce(extract(epoch FROM clock_timestamp() - min(at)) * 1000, 0)::bigint "
         "FROM " +
         name();
}

}  // namespace waybill::intake
