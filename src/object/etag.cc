#include "object/etag.h"

#include <optional>

namespace waybill::object {
namespace {

constexpr std::string_view blanks = " \t";
constexpr std::string_view weak_mark = "W/";

struct Tag {
  std::string_view value;
  bool is_weak = false;
};

void skip(std::string_view& text, std::string_view characters) {
  text.remove_prefix(std::min(text.find_first_not_of(characters), text.size()));
}

// Takes the next tag off the front of `text`; nothing where there is none, or what is there is none.
std::optional<Tag> take_tag(std::string_view& text) {
  skip(text, " \t,");
  Tag tag;
  tag.is_weak = text.starts_with(weak_mark);
  if (tag.is_weak) {
    text.remove_prefix(weak_mark.size());
  }
  if (!text.starts_with('"')) {
    const auto end = std::min(text.find(','), text.size());
    tag.value = text.substr(0, end);
    tag.value = tag.value.substr(0, tag.value.find_last_not_of(blanks) + 1);
    text.remove_prefix(end);
    return tag.value.empty() ? std::nullopt : std::optional(tag);
  }
  const auto end = text.find('"', 1);
  if (end == std::string_view::npos) {
    return std::nullopt;
  }
  tag.value = text.substr(1, end - 1);
  text.remove_prefix(end + 1);
  skip(text, blanks);
  return text.empty() || text.front() == ',' ? std::optional(tag) : std::nullopt;
}

}  // namespace

bool names_etag(std::string_view list, std::string_view etag, TagComparison comparison) {
  skip(list, blanks);
  if (list.substr(0, list.find_last_not_of(blanks) + 1) == "*") {
    return true;
  }
  while (const auto tag = take_tag(list)) {
    if (tag->value == etag && (!tag->is_weak || comparison == TagComparison::weak)) {
      return true;
    }
  }
  return false;
}

std::string quoted_etag(std::string_view etag) {
  return '"' + std::string(etag) + '"';
}

}  // namespace waybill::object
