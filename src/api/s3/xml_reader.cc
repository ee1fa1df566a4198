#include "api/s3/xml_reader.h"

#include <algorithm>
#include <optional>

#include "base/utf8.h"
#include "bucket/errors.h"

namespace waybill::api::s3 {
namespace {

constexpr std::string_view white_space = " \t\r\n";
constexpr uint32_t code_point_max = 0x10FFFF;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.' || c == ':';
}

void append_utf8(std::string& out, uint32_t point) {
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xC0U | (point >> 6U));
    out += static_cast<char>(0x80U | (point & 0x3FU));
  } else if (point < 0x10000) {
    out += static_cast<char>(0xE0U | (point >> 12U));
    out += static_cast<char>(0x80U | ((point >> 6U) & 0x3FU));
    out += static_cast<char>(0x80U | (point & 0x3FU));
  } else {
    out += static_cast<char>(0xF0U | (point >> 18U));
    out += static_cast<char>(0x80U | ((point >> 12U) & 0x3FU));
    out += static_cast<char>(0x80U | ((point >> 6U) & 0x3FU));
    out += static_cast<char>(0x80U | (point & 0x3FU));
  }
}

// "#x1F" or "#31"; nothing where it is no character.
std::optional<uint32_t> numbered(std::string_view reference) {
  reference.remove_prefix(1);
  const uint32_t base = reference.starts_with('x') ? 16 : 10;
  reference.remove_prefix(base == 16 ? 1 : 0);
  if (reference.empty() || reference.size() > 7) {
    return {};
  }
  uint32_t point = 0;
  for (const char c : reference) {
    const uint32_t digit = c >= '0' && c <= '9'   ? static_cast<uint32_t>(c - '0')
                           : c >= 'a' && c <= 'f' ? static_cast<uint32_t>(c - 'a' + 10)
                           : c >= 'A' && c <= 'F' ? static_cast<uint32_t>(c - 'A' + 10)
                                                  : base;
    if (digit >= base) {
      return {};
    }
    point = point * base + digit;
  }
  const bool is_surrogate = point >= 0xD800 && point <= 0xDFFF;
  return point > code_point_max || is_surrogate ? std::nullopt : std::optional(point);
}

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  std::optional<XmlElement> read() {
    rest_.remove_prefix(rest_.starts_with("\xEF\xBB\xBF") ? 3 : 0);
    skip_space();
    if (rest_.starts_with("<?xml") && !skip_behind("?>")) {
      return {};
    }
    XmlElement root;
    if (!skip_between() || !read_element(root, 1) || !skip_between() || !rest_.empty()) {
      return {};
    }
    return root;
  }

 private:
  void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(white_space), rest_.size())); }

  bool skip_behind(std::string_view mark) {
    const auto at = rest_.find(mark);
    if (at == std::string_view::npos) {
      return false;
    }
    rest_.remove_prefix(at + mark.size());
    return true;
  }

  // White space and comments.
  bool skip_between() {
    for (;;) {
      skip_space();
      if (!rest_.starts_with("<!--")) {
        return true;
      }
      if (!skip_behind("-->")) {
        return false;
      }
    }
  }

  std::string_view take_name() {
    const auto end = std::ranges::find_if_not(rest_, is_name_character);
    const auto name = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(name.size());
    return name;
  }

  // name="value" name='value' …: what they say is not asked for.
  bool skip_attributes() {
    for (;;) {
      skip_space();
      if (rest_.starts_with('>') || rest_.starts_with("/>")) {
        return true;
      }
      if (take_name().empty()) {
        return false;
      }
      skip_space();
      if (!rest_.starts_with('=')) {
        return false;
      }
      rest_.remove_prefix(1);
      skip_space();
      const char quote = rest_.empty() ? '\0' : rest_.front();
      if (quote != '"' && quote != '\'') {
        return false;
      }
      rest_.remove_prefix(1);
      if (!skip_behind(std::string_view(&quote, 1))) {
        return false;
      }
    }
  }

  bool read_element(XmlElement& element, int depth) {
    if (depth > xml_depth_max || ++element_count_ > xml_elements_max || !rest_.starts_with('<')) {
      return false;
    }
    rest_.remove_prefix(1);
    const auto full_name = take_name();
    element.name =
        full_name.substr(full_name.find(':') == std::string_view::npos ? 0 : full_name.find(':') + 1);
    if (element.name.empty() || !skip_attributes()) {
      return false;
    }
    if (rest_.starts_with("/>")) {
      rest_.remove_prefix(2);
      return true;
    }
    rest_.remove_prefix(1);
    return read_content(element, full_name, depth);
  }

  bool read_content(XmlElement& element, std::string_view full_name, int depth) {
    for (;;) {
      if (!read_text(element.text)) {
        return false;
      }
      if (rest_.starts_with("</")) {
        break;
      }
      if (rest_.starts_with("<!--")) {
        if (!skip_behind("-->")) {
          return false;
        }
        continue;
      }
      if (!read_element(element.children.emplace_back(), depth + 1)) {
        return false;
      }
    }
    rest_.remove_prefix(2);
    if (take_name() != full_name) {
      return false;
    }
    skip_space();
    if (!rest_.starts_with('>')) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  // Up to the next '<', with references put in place.
  bool read_text(std::string& out) {
    for (;;) {
      const auto at = rest_.find_first_of("<&");
      if (at == std::string_view::npos) {
        return false;
      }
      out.append(rest_.substr(0, at));
      rest_.remove_prefix(at);
      if (rest_.starts_with('<')) {
        return true;
      }
      if (!read_reference(out)) {
        return false;
      }
    }
  }

  bool read_reference(std::string& out) {
    constexpr std::size_t reference_bytes_max = 12;
    const auto end = rest_.substr(0, reference_bytes_max).find(';');
    if (end == std::string_view::npos) {
      return false;
    }
    const auto name = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    if (name.starts_with('#')) {
      const auto point = numbered(name);
      append_utf8(out, point.value_or(0));
      return point.has_value();
    }
    const char meant = name == "amp"    ? '&'
                       : name == "lt"   ? '<'
                       : name == "gt"   ? '>'
                       : name == "quot" ? '"'
                       : name == "apos" ? '\''
                                        : '\0';
    out += meant;
    return meant != '\0';
  }

  std::string_view rest_;
  std::size_t element_count_ = 0;
};

}  // namespace

const XmlElement* XmlElement::find(std::string_view child) const {
  const auto found = std::ranges::find(children, child, &XmlElement::name);
  return found == children.end() ? nullptr : &*found;
}

std::string_view XmlElement::text_of(std::string_view child) const {
  const XmlElement* const found = find(child);
  return found == nullptr ? std::string_view() : found->text;
}

Result<XmlElement> read_xml(std::string_view text) {
  auto root = is_utf8(text) ? Reader(text).read() : std::nullopt;
  if (!root) {
    return bucket::refusal(
        "MalformedXML",
        "The XML you provided was not well-formed or did not validate against our published schema");
  }
  return *std::move(root);
}

}  // namespace waybill::api::s3
