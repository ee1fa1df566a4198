#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace waybill::object {

// The name of a content, made by the store: a ULID, 26 characters of Crockford's base 32. Nothing that a
// client sent is ever part of one, and only what has this form becomes a path.
class ContentId {
 public:
  // Nothing where the text is not of the form.
  static std::optional<ContentId> parse(std::string_view text);

  const std::string& text() const { return text_; }

  // When the content was committed: milliseconds since 1970, by the store's clock.
  int64_t committed_ms() const;

  // The sub-folder that the content lies in, one of 32: the character that varies most.
  std::string folder() const { return text_.substr(text_.size() - folder_characters); }

  auto operator<=>(const ContentId&) const = default;

  static constexpr std::size_t folder_characters = 1;

 private:
  explicit ContentId(std::string text) : text_(std::move(text)) {}

  std::string text_;
};

// The names of all folders that contents lie in.
std::vector<std::string> content_folders();
bool is_content_folder(std::string_view name);

}  // namespace waybill::object
