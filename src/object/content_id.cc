#include "object/content_id.h"

#include <algorithm>

namespace waybill::object {
namespace {

constexpr std::string_view alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::size_t id_characters = 26;
constexpr std::size_t time_characters = 10;
constexpr int bits_per_character = 5;
constexpr char first_character_max = '7';  // ten characters would hold 50 bits, a time has 48

bool has_only_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return alphabet.find(c) != std::string_view::npos; });
}

}  // namespace

std::optional<ContentId> ContentId::parse(std::string_view text) {
  if (text.size() != id_characters || text.front() > first_character_max || !has_only_digits(text)) {
    return std::nullopt;
  }
  return ContentId(std::string(text));
}

int64_t ContentId::committed_ms() const {
  int64_t ms = 0;
  for (std::size_t i = 0; i < time_characters; ++i) {
    ms = ms << bits_per_character | static_cast<int64_t>(alphabet.find(text_[i]));
  }
  return ms;
}

std::vector<std::string> content_folders() {
  std::vector<std::string> names;
  for (const char digit : alphabet) {
    names.emplace_back(1, digit);
  }
  return names;
}

bool is_content_folder(std::string_view name) {
  return name.size() == ContentId::folder_characters && has_only_digits(name);
}

}  // namespace waybill::object
