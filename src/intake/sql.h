#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "intake/mapping.h"

// The statements that are sent to the database, as texts. Pure.
namespace waybill::intake {

// A name as SQL has it, whatever is in it; and a text.
std::string identifier(std::string_view name);
std::string literal(std::string_view text);

// What rows are read from: "public"."gallery_images", or the query in brackets.
std::string relation_of(const Source& source);

// The next rows behind a key, in the key's order. The parameters are the key's values, where `has_start`.
std::string page_statement(const Source& source, const std::vector<std::string>& columns,
                           std::size_t rows_max, bool has_start);

// The rows of many keys: one parameter for each key column, an array of texts. `types` are those of the key's
// columns, as SQL names them.
std::string rows_statement(const Source& source, const std::vector<std::string>& columns,
                           const std::vector<std::string>& types);

std::string count_statement(const Source& source);

// No rows, but all columns of the source.
std::string columns_statement(const Source& source);

// A row where a key is NULL or there twice; none where all is well. Reads everything: for queries, of which
// nothing else is known.
std::string key_flaw_statement(const Source& source);

}  // namespace waybill::intake
