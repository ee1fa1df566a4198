#include "http/uri.h"

#include "http/character.h"

namespace waybill::http {

void append_uri_encoded(std::string& out, std::string_view text, bool keep_slash) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  for (const char c : text) {
    if (contains(unreserved_characters, c) || (keep_slash && c == '/')) {
      out.push_back(c);
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out.push_back('%');
    out.push_back(digits[byte >> 4]);
    out.push_back(digits[byte & 15]);
  }
}

std::string uri_decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0) {
      out.push_back(static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2])));
      i += 2;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

bool next_query_parameter(std::string_view& query, std::string_view& name, std::string_view& value) {
  while (query.starts_with('&')) {
    query.remove_prefix(1);
  }
  if (query.empty()) {
    return false;
  }
  const std::string_view parameter = query.substr(0, query.find('&'));
  query.remove_prefix(parameter.size());
  const auto equals = parameter.find('=');
  name = parameter.substr(0, equals);
  value = equals == std::string_view::npos ? std::string_view() : parameter.substr(equals + 1);
  return true;
}

bool find_query_parameter(std::string_view query, std::string_view name, std::string& value) {
  std::string_view raw_name;
  std::string_view raw_value;
  while (next_query_parameter(query, raw_name, raw_value)) {
    if (uri_decoded(raw_name) == name) {
      value = uri_decoded(raw_value);
      return true;
    }
  }
  return false;
}

int count_query_parameters(std::string_view query, std::string_view name) {
  std::string_view raw_name;
  std::string_view raw_value;
  int count = 0;
  while (next_query_parameter(query, raw_name, raw_value)) {
    count += uri_decoded(raw_name) == name ? 1 : 0;
  }
  return count;
}

}  // namespace waybill::http
