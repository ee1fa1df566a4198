#include "expression/placeholders.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "item/json.h"

namespace waybill::expression {

namespace {

// The service's limit on all substitution variables of an expression together.
constexpr std::size_t placeholders_bytes_max = 2 << 20;

// Some texts of invalid values come with the envelope of a whole request; inside another text it is dropped.
constexpr std::string_view envelope = "1 validation error detected: ";

constexpr std::array<bool, 256> make_word_characters() {
  std::array<bool, 256> word{};
  for (std::size_t c = 0; c < word.size(); ++c) {
    word[c] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  return word;
}

constexpr auto word_characters = make_word_characters();

bool is_word_character(char c) {
  return word_characters[static_cast<unsigned char>(c)];
}

bool is_placeholder(std::string_view key, char mark) {
  if (key.size() < 2 || key[0] != mark) {
    return false;
  }
  const char* at = key.data() + 1;
  const char* const end = key.data() + key.size();
  while (at != end && is_word_character(*at)) {
    ++at;
  }
  return at == end;
}

Error about(std::string_view parameter, std::string_view text) {
  return invalid(std::string(parameter).append(text));
}

Error bad_key(std::string_view parameter, std::string_view key) {
  return invalid(
      std::string(parameter).append(" contains invalid key: Syntax error; key: \"").append(key).append("\""));
}

Error too_large() {
  return invalid("The size of all expression attribute names and values exceeds " +
                 std::to_string(placeholders_bytes_max) + " bytes");
}

Error bad_value(Error error, std::string_view key) {
  if (error.kind != ErrorKind::invalid) {
    return error;
  }
  std::string_view text = error.message;
  if (text.starts_with(envelope)) {
    text.remove_prefix(envelope.size());
  }
  return invalid(std::string("ExpressionAttributeValues contains invalid value: ")
                     .append(text)
                     .append(" for key ")
                     .append(key));
}

Status check_map(const json::Value& map, std::string_view parameter, char mark) {
  if (!map.is_object()) {
    return Error{ErrorKind::malformed, "Unexpected field type", {}};
  }
  for (json::Members members(map); members.next();) {
    if (!is_placeholder(members.key(), mark)) {
      return bad_key(parameter, members.key());
    }
  }
  return {};
}

Status check_not_empty(const std::optional<json::Value>& map, std::string_view parameter) {
  return map && map->is_object() && map->size() == 0 ? Status(about(parameter, " must not be empty"))
                                                     : Status();
}

// Sorts by key and keeps the last of those with the same key, as JSON readers do.
template <typename Entries>
void sort_by_key(Entries& entries) {
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return std::tie(a.key, a.order) < std::tie(b.key, b.order); });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const bool last = i + 1 == entries.size() || entries[i].key != entries[i + 1].key;
    if (last) {
      entries[kept++] = entries[i];
    }
  }
  while (entries.size() > kept) {
    entries.pop_back();
  }
}

template <typename Entries>
auto* find_by_key(Entries& entries, std::string_view key) {
  auto* const end = entries.end();
  auto* const found = std::lower_bound(entries.begin(), end, key,
                                       [](const auto& entry, std::string_view k) { return entry.key < k; });
  return found != end && found->key == key ? found : nullptr;
}

template <typename Entries>
Status check_used(const Entries& entries, std::string_view parameter) {
  std::string unused;
  for (const auto& entry : entries) {
    if (!entry.used) {
      unused.append(unused.empty() ? "" : ", ").append(entry.key);
    }
  }
  if (unused.empty()) {
    return {};
  }
  return invalid(std::string("Value provided in ")
                     .append(parameter)
                     .append(" unused in expressions: keys: {")
                     .append(unused)
                     .append("}"));
}

constexpr std::string_view names_parameter = "ExpressionAttributeNames";
constexpr std::string_view values_parameter = "ExpressionAttributeValues";

}  // namespace

Status Placeholders::check_allowed(const PlaceholderSource& source) {
  if (source.names && !source.names_allowed) {
    return about(names_parameter, " can only be specified when using expressions");
  }
  if (source.values && !source.values_allowed) {
    std::string text = " can only be specified when using expressions";
    if (!source.values_refused_because.empty()) {
      text.append(": ").append(source.values_refused_because);
    }
    return about(values_parameter, text);
  }
  WAYBILL_TRY(check_not_empty(source.names, names_parameter));
  return check_not_empty(source.values, values_parameter);
}

Result<Placeholders> Placeholders::parse(const PlaceholderSource& source) {
  WAYBILL_TRY(check_allowed(source));
  Placeholders placeholders;
  if (source.names) {
    WAYBILL_TRY(placeholders.read_names(*source.names));
  }
  if (source.values) {
    WAYBILL_TRY(placeholders.read_values(*source.values));
  }
  return placeholders;
}

Status Placeholders::read_names(const json::Value& names) {
  WAYBILL_TRY(check_map(names, names_parameter, '#'));
  std::size_t total_bytes = 0;
  for (json::Members members(names); members.next();) {
    if (!members.value().is_string()) {
      return Error{ErrorKind::malformed, "Unexpected field type", {}};
    }
    const auto name = members.value().string();
    total_bytes += members.key().size() + name.size();
    names_.push_back({members.key(), name, static_cast<uint32_t>(names_.size()), false});
  }
  if (total_bytes > placeholders_bytes_max) {
    return too_large();
  }
  sort_by_key(names_);
  return {};
}

Status Placeholders::read_values(const json::Value& values) {
  WAYBILL_TRY(check_map(values, values_parameter, ':'));
  for (json::Members members(values); members.next();) {
    const auto at = static_cast<uint32_t>(literals_.size());
    if (auto read = item::append_value(literals_, members.value()); !read) {
      return bad_value(std::move(read).error(), members.key());
    }
    values_.push_back({members.key(), at, static_cast<uint32_t>(values_.size()), false});
    if (literals_.size() > placeholders_bytes_max) {
      return too_large();
    }
  }
  sort_by_key(values_);
  return {};
}

std::optional<std::string_view> Placeholders::use_name(std::string_view key) {
  auto* const found = find_by_key(names_, key);
  if (found == nullptr) {
    return std::nullopt;
  }
  found->used = true;
  return found->name;
}

std::optional<item::ValueView> Placeholders::use_value(std::string_view key) {
  auto* const found = find_by_key(values_, key);
  if (found == nullptr) {
    return std::nullopt;
  }
  found->used = true;
  return item::ValueView(literals_.data() + found->at);
}

Status Placeholders::check_all_used() const {
  WAYBILL_TRY(check_used(names_, names_parameter));
  return check_used(values_, values_parameter);
}

}  // namespace waybill::expression
