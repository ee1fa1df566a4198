#pragma once

#include <string>
#include <string_view>

namespace waybill::http {

// Appends `text` with everything but the unreserved characters (and '/', where `keep_slash`) percent-encoded,
// as AWS wants it: upper-case digits, a space as %20.
void append_uri_encoded(std::string& out, std::string_view text, bool keep_slash);

// Undoes percent-encoding once. A '%' without two digits behind it, and '+', stand for themselves.
std::string uri_decoded(std::string_view text);

// The decoded value of the first parameter of that (decoded) name; false where there is none.
bool find_query_parameter(std::string_view query, std::string_view name, std::string& value);

// How many parameters have that (decoded) name.
int count_query_parameters(std::string_view query, std::string_view name);

// Cuts the next parameter off `query` and splits it at its first '='. False where none is left.
bool next_query_parameter(std::string_view& query, std::string_view& name, std::string_view& value);

}  // namespace waybill::http
