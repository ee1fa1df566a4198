#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace waybill::contract {

// A text with fields in it: "ASSET#{asset_id}#V#{version:08}". A width with a leading zero pads whole
// numbers, so that they sort as text. Braces that are meant as such are written twice.
class TextTemplate {
 public:
  struct Part {
    std::string text;  // literal text, or a field's name
    bool is_field = false;
    std::size_t width = 0;  // of a padded number; 0: as it is

    bool operator==(const Part&) const = default;
  };

  TextTemplate() = default;

  // Errors say what is wrong with the text.
  static Result<TextTemplate> parse(std::string_view text);

  const std::vector<Part>& parts() const { return parts_; }
  std::vector<std::string> fields() const;
  bool is_literal() const;
  // The literal text that every rendering begins with.
  std::string prefix() const;

  // Nothing where a field has no value, or one that does not fit its width.
  using ValueOf = std::function<std::optional<std::string>(const std::string& field)>;
  std::optional<std::string> render(const ValueOf& value_of) const;

  // The values that rendered to this text; nothing where none could have. A field reaches as far as the
  // literal text behind it allows, the shortest way first.
  std::optional<std::map<std::string, std::string>> match(std::string_view text) const;

  // Whether a text exists that both could render to, as far as their literal beginnings and ends tell.
  bool may_meet(const TextTemplate& other) const;

  bool operator==(const TextTemplate&) const = default;

 private:
  std::vector<Part> parts_;
};

}  // namespace waybill::contract
