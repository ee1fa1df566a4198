#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// The XML that requests have: elements and texts, no more.
namespace waybill::api::s3 {

struct XmlElement {
  std::string name;  // without the namespace's prefix
  std::string text;  // of elements without others in them
  std::vector<XmlElement> children;

  // Null where there is none.
  const XmlElement* find(std::string_view child) const;
  // "" where there is none.
  std::string_view text_of(std::string_view child) const;
};

inline constexpr int xml_depth_max = 8;
inline constexpr std::size_t xml_elements_max = 100'000;

// The outermost element. Error invalid ("MalformedXML") for what is not well-formed, or is more than the
// bounds allow; documents with types (<!DOCTYPE) are refused, so nothing in them can be expanded.
Result<XmlElement> read_xml(std::string_view text);

}  // namespace waybill::api::s3
