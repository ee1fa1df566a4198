#include "contract/text_template.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace waybill::contract {

namespace {

constexpr std::size_t width_max = 38;  // digits of a number

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '-';
}

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_name_character);
}

bool is_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// What stands between the braces: "version" or "version:08".
Result<TextTemplate::Part> parse_field(std::string_view inside) {
  const std::size_t colon = inside.find(':');
  const std::string_view name = inside.substr(0, colon);
  if (!is_name(name)) {
    return invalid("\"{" + std::string(inside) + "}\" does not name a field");
  }
  TextTemplate::Part part{std::string(name), true, 0};
  if (colon == std::string_view::npos) {
    return part;
  }
  const std::string_view format = inside.substr(colon + 1);
  if (format.size() < 2 || format.front() != '0' || !is_digits(format)) {
    return invalid("\"{" + std::string(inside) + "}\": a width is written as in {version:08}");
  }
  std::from_chars(format.data(), format.data() + format.size(), part.width);
  if (part.width == 0 || part.width > width_max) {
    return invalid("\"{" + std::string(inside) + "}\": a width is between 1 and 38");
  }
  return part;
}

bool fits(const TextTemplate::Part& part, std::string_view value) {
  if (part.width == 0) {
    return !value.empty();
  }
  return value.size() == part.width && is_digits(value);
}

}  // namespace

Result<TextTemplate> TextTemplate::parse(std::string_view text) {
  TextTemplate made;
  std::string literal;
  const auto end_literal = [&] {
    if (!literal.empty()) {
      made.parts_.push_back({std::exchange(literal, {}), false, 0});
    }
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool doubled = at + 1 < text.size() && text[at + 1] == c;
    if ((c == '{' || c == '}') && doubled) {
      literal += c;
      ++at;
      continue;
    }
    if (c == '}') {
      return invalid("\"" + std::string(text) + "\" has a } without a {; a brace as such is written twice");
    }
    if (c != '{') {
      literal += c;
      continue;
    }
    const std::size_t end = text.find('}', at);
    if (end == std::string_view::npos) {
      return invalid("\"" + std::string(text) + "\" has a { without a }; a brace as such is written twice");
    }
    WAYBILL_TRY_ASSIGN(auto part, parse_field(text.substr(at + 1, end - at - 1)));
    end_literal();
    made.parts_.push_back(std::move(part));
    at = end;
  }
  end_literal();
  return made;
}

std::vector<std::string> TextTemplate::fields() const {
  std::vector<std::string> names;
  for (const auto& part : parts_) {
    if (part.is_field && std::ranges::find(names, part.text) == names.end()) {
      names.push_back(part.text);
    }
  }
  return names;
}

bool TextTemplate::is_literal() const {
  return std::ranges::none_of(parts_, &Part::is_field);
}

std::string TextTemplate::prefix() const {
  return parts_.empty() || parts_.front().is_field ? std::string() : parts_.front().text;
}

std::optional<std::string> TextTemplate::render(const ValueOf& value_of) const {
  std::string text;
  for (const auto& part : parts_) {
    if (!part.is_field) {
      text += part.text;
      continue;
    }
    auto value = value_of(part.text);
    if (!value) {
      return {};
    }
    if (value->size() < part.width) {
      value->insert(0, part.width - value->size(), '0');
    }
    if (!fits(part, *value)) {
      return {};
    }
    text += *value;
  }
  return text;
}

std::optional<std::map<std::string, std::string>> TextTemplate::match(std::string_view text) const {
  std::map<std::string, std::string> values;
  // Finds the rest of the parts in the rest of the text.
  const std::function<bool(std::size_t, std::string_view)> find = [&](std::size_t index,
                                                                      std::string_view rest) {
    if (index == parts_.size()) {
      return rest.empty();
    }
    const Part& part = parts_[index];
    if (!part.is_field) {
      return rest.starts_with(part.text) && find(index + 1, rest.substr(part.text.size()));
    }
    for (std::size_t length = 1; length <= rest.size(); ++length) {
      const std::string_view value = rest.substr(0, length);
      if (!fits(part, value)) {
        continue;
      }
      const auto [place, added] = values.emplace(part.text, value);
      if ((added || place->second == value) && find(index + 1, rest.substr(length))) {
        return true;
      }
      if (added) {
        values.erase(part.text);
      }
    }
    return false;
  };
  return find(0, text) ? std::optional(std::move(values)) : std::nullopt;
}

bool TextTemplate::may_meet(const TextTemplate& other) const {
  if (is_literal() && other.is_literal()) {
    return parts_ == other.parts_;
  }
  if (is_literal()) {
    return other.match(parts_.empty() ? std::string_view() : parts_.front().text).has_value();
  }
  if (other.is_literal()) {
    return other.may_meet(*this);
  }
  const std::string mine = prefix();
  const std::string theirs = other.prefix();
  const std::size_t common = std::min(mine.size(), theirs.size());
  return mine.substr(0, common) == theirs.substr(0, common);
}

}  // namespace waybill::contract
