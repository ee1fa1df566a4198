#include "depot/answers.h"

#include <array>
#include <charconv>
#include <utility>

namespace waybill::depot {
namespace {

constexpr int status_not_implemented = 501;

std::string unescaped(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, char>, 5> entities{
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#34;", '"'}}};
  std::string out;
  while (!text.empty()) {
    bool is_entity = false;
    for (const auto& [name, character] : entities) {
      if (text.starts_with(name)) {
        out.push_back(character);
        text.remove_prefix(name.size());
        is_entity = true;
        break;
      }
    }
    if (!is_entity) {
      out.push_back(text.front());
      text.remove_prefix(1);
    }
  }
  return out;
}

// A number with nothing around it, cut off the front of `text` together with the character behind it.
std::optional<uint64_t> take_number(std::string_view& text, char end) {
  uint64_t number = 0;
  const auto [at, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  auto used = static_cast<std::size_t>(at - text.data());
  if (failure != std::errc() || (end != '\0' && (used == text.size() || text[used] != end))) {
    return {};
  }
  text.remove_prefix(used + (end == '\0' ? 0 : 1));
  return number;
}

}  // namespace

std::vector<std::string_view> elements_of(std::string_view xml, std::string_view name) {
  const std::string open = "<" + std::string(name) + ">";
  const std::string close = "</" + std::string(name) + ">";
  std::vector<std::string_view> found;
  for (;;) {
    const auto begin = xml.find(open);
    const auto end = begin == std::string_view::npos ? begin : xml.find(close, begin);
    if (end == std::string_view::npos) {
      return found;
    }
    found.push_back(xml.substr(begin + open.size(), end - begin - open.size()));
    xml.remove_prefix(end + close.size());
  }
}

std::vector<std::string> texts_of(std::string_view xml, std::string_view name) {
  std::vector<std::string> texts;
  for (const auto element : elements_of(xml, name)) {
    texts.push_back(unescaped(element));
  }
  return texts;
}

std::string text_of(std::string_view xml, std::string_view name) {
  const auto elements = elements_of(xml, name);
  return elements.empty() ? "" : unescaped(elements.front());
}

std::optional<ContentRange> read_content_range(std::string_view header) {
  constexpr std::string_view unit = "bytes ";
  if (!header.starts_with(unit)) {
    return {};
  }
  header.remove_prefix(unit.size());
  const auto first = take_number(header, '-');
  const auto last = first ? take_number(header, '/') : std::nullopt;
  const auto bytes = last ? take_number(header, '\0') : std::nullopt;
  if (!bytes || !header.empty() || *last < *first || *last >= *bytes) {
    return {};
  }
  return ContentRange{*first, *last, *bytes};
}

bool is_success(const http::ClientAnswer& answer) {
  return answer.status >= 200 && answer.status <= 299;
}

std::string error_code(const http::ClientAnswer& answer) {
  const bool has_error = answer.body.find("<Error>") != std::string::npos;
  return has_error ? text_of(answer.body, "Code") : "";
}

bool does_not_know(const http::ClientAnswer& answer) {
  return answer.status == status_not_implemented || error_code(answer) == "NotImplemented";
}

bool is_passing(const http::ClientAnswer& answer) {
  const auto code = error_code(answer);
  return (answer.status >= 500 && !does_not_know(answer)) || answer.status == 408 || answer.status == 429 ||
         code == "RequestTimeout" || code == "InternalError" || code == "SlowDown" ||
         code == "ServiceUnavailable";
}

std::string described(const http::ClientAnswer& answer) {
  const auto code = error_code(answer);
  const auto message = text_of(answer.body, "Message");
  return "status " + std::to_string(answer.status) + (code.empty() ? "" : " " + code) +
         (message.empty() ? "" : ": " + message);
}

Error trouble(std::string_view what, std::string_view why) {
  return {ErrorKind::unavailable,
          "The storage of the objects cannot be used at the moment. Please try again.",
          std::string(what) + ": " + std::string(why)};
}

}  // namespace waybill::depot
