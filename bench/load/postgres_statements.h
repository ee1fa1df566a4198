#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace waybill::load::postgres {

struct Statement {
  std::string_view name;
  std::string sql;
  std::vector<int> parameter_types;
};

inline constexpr std::string_view get_statement = "g";
inline constexpr std::string_view put_statement = "p";
inline constexpr std::string_view update_statement = "u";
inline constexpr std::string_view delete_statement = "d";
inline constexpr std::string_view query_statement = "q";
inline constexpr std::string_view batch_get_statement = "b";
inline constexpr std::string_view scan_statement = "s";
inline constexpr std::string_view begin_statement = "t";
inline constexpr std::string_view commit_statement = "c";

// What every connection prepares once.
std::vector<Statement> statements_for(const std::string& table);

// Makes the table and its indexes anew; one command each.
std::vector<std::string> definition_of(const std::string& table);

std::string copy_command(const std::string& table);

}  // namespace waybill::load::postgres
