#include "worker/steps/pattern.h"

#include <algorithm>

namespace waybill::worker::steps {
namespace {

constexpr std::string_view variable_begin = "${ENV:";

bool is_word(std::string_view text, std::string_view more) {
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           more.find(c) != std::string_view::npos;
  });
}

Result<std::string> read_path(std::string_view path) {
  if (!is_word(path, "_-.") || path.front() == '.' || path.back() == '.' ||
      path.find("..") != std::string_view::npos) {
    return invalid("\"{" + std::string(path) + "}\" names no value");
  }
  return std::string(path);
}

}  // namespace

void Pattern::add_text(std::string_view text) {
  if (text.empty()) {
    return;
  }
  if (parts_.empty() || parts_.back().kind != Kind::text) {
    parts_.push_back({Kind::text, {}});
  }
  parts_.back().text += text;
}

Result<Pattern> Pattern::parse(std::string_view text) {
  Pattern pattern;
  while (!text.empty()) {
    const bool is_variable = text.starts_with(variable_begin);
    const char first = text.front();
    if (!is_variable && first != '{' && first != '}') {
      const auto plain = std::min(text.find_first_of("{}$", 1), text.size());
      pattern.add_text(text.substr(0, plain));
      text.remove_prefix(plain);
      continue;
    }
    if (!is_variable && text.size() > 1 && text[1] == first) {
      pattern.add_text(text.substr(0, 1));
      text.remove_prefix(2);
      continue;
    }
    const auto end = text.find('}');
    if (first == '}' || end == std::string_view::npos) {
      return invalid("a brace has no other one; where it is meant as such, write it twice");
    }
    const auto begin = is_variable ? variable_begin.size() : 1;
    const auto name = text.substr(begin, end - begin);
    if (is_variable && !is_word(name, "_")) {
      return invalid("\"" + std::string(name) + "\" is no name of a variable");
    }
    if (!is_variable) {
      WAYBILL_TRY(read_path(name));
    }
    pattern.parts_.push_back({is_variable ? Kind::variable : Kind::value, std::string(name)});
    text.remove_prefix(end + 1);
  }
  return pattern;
}

bool Pattern::has(Kind kind) const {
  return std::ranges::any_of(parts_, [&](const Part& part) { return part.kind == kind; });
}

}  // namespace waybill::worker::steps
