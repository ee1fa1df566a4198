#include "api/sqs/xml.h"

#include <algorithm>

namespace waybill::api::sqs {
namespace {

std::string_view escaped(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return "&#xD;";  // a parser would make a line feed of it
  }
}

}  // namespace

void append_xml_text(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const auto plain = std::min(text.find_first_of("&<>\"\r"), text.size());
    out.append(text.substr(0, plain));
    if (plain == text.size()) {
      return;
    }
    out.append(escaped(text[plain]));
    text.remove_prefix(plain + 1);
  }
}

void append_xml_element(std::string& out, std::string_view name, std::string_view text) {
  out.append("<").append(name).append(">");
  append_xml_text(out, text);
  out.append("</").append(name).append(">");
}

}  // namespace waybill::api::sqs
