#include "cli/job/json_parts.h"

#include <algorithm>

#include "base/json.h"

namespace waybill::cli::job {
namespace {

constexpr std::string_view spaces = " \t\r\n";

constexpr std::string_view digits = "0123456789";

// Cuts digits off the front; false where there are none.
bool skip_digits(std::string_view& text) {
  const auto end = std::min(text.find_first_not_of(digits), text.size());
  text.remove_prefix(end);
  return end > 0;
}

bool is_number(std::string_view text) {
  text.remove_prefix(text.starts_with('-') ? 1 : 0);
  const bool has_needless_zero = text.size() > 1 && text[0] == '0' && digits.find(text[1]) != digits.npos;
  if (has_needless_zero || !skip_digits(text)) {
    return false;
  }
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (!skip_digits(text)) {
      return false;
    }
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    text.remove_prefix(text.starts_with('+') || text.starts_with('-') ? 1 : 0);
    return skip_digits(text) && text.empty();
  }
  return text.empty();
}

// The text with a zero in place of each number: the parser knows numbers of 64 bits alone.
std::string without_numbers(std::string_view text) {
  std::string made;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    std::size_t length = 1;
    if (in_string && c == '\\') {
      length = std::min<std::size_t>(2, text.size() - at);
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '-' || digits.find(c) != digits.npos)) {
      length = std::min(text.find_first_not_of("0123456789+-.eE", at), text.size()) - at;
    }
    const auto part = text.substr(at, length);
    made += !in_string && is_number(part) ? "0" : part;
    at += length;
  }
  return made;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  // Goes behind `c`, and white space before it, where it stands there.
  bool skip(char c) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != c) {
      return false;
    }
    ++at_;
    return true;
  }

  std::string_view value() {
    skip_spaces();
    const std::size_t begin = at_;
    int depth = 0;
    do {
      step(depth);
    } while (at_ < text_.size() && (depth > 0 || !is_end(text_[at_], text_[begin])));
    return text_.substr(begin, at_ - begin);
  }

 private:
  void skip_spaces() { at_ = std::min(text_.find_first_not_of(spaces, at_), text_.size()); }

  // Of a value that began with `first`: strings, objects and arrays end by themselves.
  static bool is_end(char c, char first) {
    const bool ends_itself = first == '"' || first == '{' || first == '[';
    return ends_itself || c == ',' || c == '}' || c == ']' || spaces.find(c) != std::string_view::npos;
  }

  void step(int& depth) {
    if (at_ >= text_.size()) {
      return;
    }
    const char c = text_[at_];
    if (c == '"') {
      skip_string();
      return;
    }
    depth += c == '{' || c == '[' ? 1 : 0;
    depth -= c == '}' || c == ']' ? 1 : 0;
    ++at_;
  }

  void skip_string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      at_ += text_[at_] == '\\' ? 1 : 0;
    }
    at_ = std::min(at_ + 1, text_.size());
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

bool is_json(std::string_view text) {
  json::Parser parser;
  return parser.parse_copy(without_numbers(text)).has_value();
}

Members members_of(std::string_view text) {
  Scanner scanner(text);
  Members members;
  if (!scanner.skip('{') || scanner.skip('}')) {
    return members;
  }
  do {
    const auto name = scanner.value();
    if (!scanner.skip(':')) {
      return members;
    }
    members.push_back({plain_text(name), scanner.value()});
  } while (scanner.skip(','));
  return members;
}

std::vector<std::string_view> elements_of(std::string_view text) {
  Scanner scanner(text);
  std::vector<std::string_view> elements;
  if (!scanner.skip('[') || scanner.skip(']')) {
    return elements;
  }
  do {
    elements.push_back(scanner.value());
  } while (scanner.skip(','));
  return elements;
}

std::string_view find(const Members& members, std::string_view name) {
  const auto found = std::ranges::find(members, name, &Member::name);
  return found == members.end() ? std::string_view() : found->value;
}

std::string plain_text(std::string_view value) {
  if (value.size() < 2 || value.front() != '"') {
    return std::string(value);
  }
  if (value.find('\\') == std::string_view::npos) {
    return std::string(value.substr(1, value.size() - 2));
  }
  json::Parser parser;
  const auto parsed = parser.parse_copy(value);
  return std::string(parsed && parsed->is_string() ? parsed->string() : value);
}

std::string text_of(const Members& members, std::string_view name) {
  const auto value = find(members, name);
  return value == "null" ? std::string() : plain_text(value);
}

}  // namespace waybill::cli::job
