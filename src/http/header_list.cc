#include "http/header_list.h"

namespace waybill::http {
namespace {

// Cuts the next member off `list`, without the white space around it.
std::string_view next_member(std::string_view& list) {
  const auto comma = list.find(',');
  const std::string_view member = trim_white_space(list.substr(0, comma));
  list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  return member;
}

bool is_white_space(char c) {
  return c == ' ' || c == '\t';
}

// "q=0", "q=0.", "q=0.000"
bool is_weight_of_zero(std::string_view parameter) {
  if (parameter.size() < 3 || (parameter[0] | 0x20) != 'q' || parameter[1] != '=') {
    return false;
  }
  return parameter.find_first_not_of("0.", 2) == std::string_view::npos;
}

}  // namespace

std::string_view trim_white_space(std::string_view text) {
  while (!text.empty() && is_white_space(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_white_space(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? c | 0x20 : c; };
  if (a.size() != b.size()) {
    return false;
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) {
      return false;
    }
  }
  return true;
}

bool list_has(std::string_view list, std::string_view lower_case_word) {
  while (!list.empty()) {
    if (equals_ignoring_case(next_member(list), lower_case_word)) {
      return true;
    }
  }
  return false;
}

bool accepts_coding(std::string_view list, std::string_view lower_case_coding) {
  while (!list.empty()) {
    const std::string_view member = next_member(list);
    const auto semicolon = member.find(';');
    if (!equals_ignoring_case(trim_white_space(member.substr(0, semicolon)), lower_case_coding)) {
      continue;
    }
    return semicolon == std::string_view::npos ||
           !is_weight_of_zero(trim_white_space(member.substr(semicolon + 1)));
  }
  return false;
}

}  // namespace waybill::http
