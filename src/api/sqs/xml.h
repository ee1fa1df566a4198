#pragma once

#include <string>
#include <string_view>

// The XML of the query protocol.
namespace waybill::api::sqs {

inline constexpr std::string_view xml_declaration = "<?xml version=\"1.0\"?>";
inline constexpr std::string_view xml_namespace = "http://queue.amazonaws.com/doc/2012-11-05/";

// Appends text so that a parser gives back exactly that text.
void append_xml_text(std::string& out, std::string_view text);

// <name>text</name>
void append_xml_element(std::string& out, std::string_view name, std::string_view text);

}  // namespace waybill::api::sqs
