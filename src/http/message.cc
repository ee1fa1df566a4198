#include "http/message.h"

namespace waybill::http {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

}  // namespace

bool equals_ignoring_case(std::string_view text, std::string_view lower_case) {
  if (text.size() != lower_case.size()) {
    return false;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (lower(text[i]) != lower_case[i]) {
      return false;
    }
  }
  return true;
}

std::string_view Request::header(std::string_view lower_case_name) const {
  for (const Header& header : headers) {
    if (equals_ignoring_case(header.name, lower_case_name)) {
      return header.value;
    }
  }
  return {};
}

bool Request::has_header(std::string_view lower_case_name) const {
  for (const Header& header : headers) {
    if (equals_ignoring_case(header.name, lower_case_name)) {
      return true;
    }
  }
  return false;
}

bool Request::duplicate_header(std::string_view lower_case_name) const {
  int count = 0;
  for (const Header& header : headers) {
    count += equals_ignoring_case(header.name, lower_case_name) ? 1 : 0;
  }
  return count > 1;
}

}  // namespace waybill::http
