#include "api/s3/xml.h"

namespace waybill::api::s3 {
namespace {

constexpr std::string_view xml_namespace = "http://s3.amazonaws.com/doc/2006-03-01/";

}  // namespace

Xml::Xml() : out_("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") {}

void Xml::open_root(std::string_view name) {
  out_.append("<").append(name).append(" xmlns=\"").append(xml_namespace).append("\">");
}

void Xml::open(std::string_view name) {
  out_.append("<").append(name).append(">");
}

void Xml::close(std::string_view name) {
  out_.append("</").append(name).append(">");
}

void Xml::element(std::string_view name, std::string_view content) {
  open(name);
  text(content);
  close(name);
}

void Xml::number(std::string_view name, int64_t value) {
  element(name, std::to_string(value));
}

void Xml::boolean(std::string_view name, bool value) {
  element(name, value ? "true" : "false");
}

void Xml::text(std::string_view content) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  for (const char c : content) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '&':
        out_ += "&amp;";
        break;
      case '<':
        out_ += "&lt;";
        break;
      case '>':
        out_ += "&gt;";
        break;
      case '"':
        out_ += "&quot;";
        break;
      default:
        if (byte >= 0x20) {
          out_ += c;
        } else {
          out_ += "&#x";
          if (byte >= 0x10) {
            out_ += digits[byte >> 4U];
          }
          out_ += digits[byte & 0xFU];
          out_ += ';';
        }
    }
  }
}

}  // namespace waybill::api::s3
