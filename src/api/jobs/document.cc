#include "api/jobs/document.h"

#include <charconv>

namespace waybill::api::jobs {
namespace {

constexpr std::size_t sure_digits = 15;          // so many survive in a double
constexpr std::size_t kept_bytes_max = 1 << 20;  // of memory, from one document to the next

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_of_number(char c) {
  return is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

// Behind the string whose opening quote is at `at`.
std::size_t behind_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return text.size();
}

std::size_t behind_number(std::string_view text, std::size_t at) {
  while (at < text.size() && is_of_number(text[at])) {
    ++at;
  }
  return at;
}

std::size_t pass_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) {
    ++at;
  }
  return at;
}

// The grammar of RFC 8259, 6.
bool is_number(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const std::size_t whole = at;
  at = pass_digits(text, at);
  if (at == whole || (text[whole] == '0' && at > whole + 1)) {
    return false;
  }
  if (at < text.size() && text[at] == '.') {
    const std::size_t begin = ++at;
    at = pass_digits(text, at);
    if (at == begin) {
      return false;
    }
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    at += at < text.size() && (text[at] == '+' || text[at] == '-') ? 1 : 0;
    const std::size_t begin = at;
    at = pass_digits(text, at);
    if (at == begin) {
      return false;
    }
  }
  return at == text.size();
}

bool is_long(std::string_view number) {
  std::size_t digits = 0;
  for (const char c : number) {
    digits += is_digit(c) ? 1 : 0;
    if (c == 'e' || c == 'E') {
      return true;
    }
  }
  return digits > sure_digits;
}

// Calls visit(begin, end) for each number, in order, until it returns false.
template <typename Visit>
void for_each_number(std::string_view text, Visit visit) {
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      at = behind_string(text, at);
    } else if (c == '-' || is_digit(c)) {
      const std::size_t end = behind_number(text, at);
      if (!visit(at, end)) {
        return;
      }
      at = end;
    } else {
      ++at;
    }
  }
}

Error malformed(std::string message) {
  return Error{ErrorKind::malformed, std::move(message), {}};
}

}  // namespace

bool has_long_numbers(std::string_view text) {
  bool found = false;
  for_each_number(text, [&](std::size_t begin, std::size_t end) {
    found = is_long(text.substr(begin, end - begin));
    return !found;
  });
  return found;
}

Result<json::Value> Document::parse(std::string_view text) {
  if (replaced_.capacity() > kept_bytes_max ||
      numbers_.capacity() > kept_bytes_max / sizeof(decltype(numbers_)::value_type)) {
    replaced_ = std::string();
    numbers_ = {};
  }
  numbers_.clear();
  if (!has_long_numbers(text)) {
    return parser_.parse(text);
  }
  replaced_.clear();
  std::size_t copied = 0;
  bool well_formed = true;
  for_each_number(text, [&](std::size_t begin, std::size_t end) {
    const auto number = text.substr(begin, end - begin);
    well_formed = is_number(number);
    replaced_.append(text.substr(copied, begin - copied)).append(std::to_string(numbers_.size()));
    numbers_.push_back(number);
    copied = end;
    return well_formed;
  });
  if (!well_formed) {
    return malformed("\"" + std::string(numbers_.back().substr(0, 64)) + "\" is no number");
  }
  replaced_.append(text.substr(copied));
  return parser_.parse_copy(replaced_);
}

void Document::append_number(std::string& out, const json::Value& number) const {
  const auto whole = number.integer();
  if (!numbers_.empty()) {
    out.append(numbers_[static_cast<std::size_t>(whole.value_or(0))]);
    return;
  }
  char text[32];
  const auto end = whole ? std::to_chars(text, text + sizeof(text), *whole).ptr
                         : std::to_chars(text, text + sizeof(text), number.number()).ptr;
  out.append(text, static_cast<std::size_t>(end - text));
}

std::optional<int64_t> Document::integer(const json::Value& number) const {
  if (numbers_.empty()) {
    return number.integer();
  }
  std::string text;
  append_number(text, number);
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace waybill::api::jobs
