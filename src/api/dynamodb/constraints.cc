#include "api/dynamodb/constraints.h"

#include <algorithm>

namespace waybill::api::dynamodb {
namespace {

constexpr std::size_t constraints_told_max = 10;

std::string concat(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const auto part : parts) {
    text += part;
  }
  return text;
}

// The service counts UTF-16 units.
std::size_t length_of(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += (byte & 0xC0) != 0x80 ? 1 : 0;  // a byte that begins a character …
    units += byte >= 0xF0 ? 1 : 0;           // … and one outside the basic plane takes two units
  }
  return units;
}

}  // namespace

void Constraints::add(std::string text) {
  texts_.push_back(std::move(text));
}

void Constraints::violated(std::string_view path, std::string_view shown, std::string_view rule) {
  add(concat({"Value '", shown, "' at '", path, "' failed to satisfy constraint: ", rule}));
}

void Constraints::violated(std::string_view path, std::string_view rule) {
  add(concat({"Value at '", path, "' failed to satisfy constraint: ", rule}));
}

void Constraints::not_null(std::string_view path, bool present) {
  if (!present) {
    add(concat({"Value null at '", path, "' failed to satisfy constraint: Member must not be null"}));
  }
}

void Constraints::length_min(std::string_view path, const std::optional<std::string_view>& value,
                             std::size_t least) {
  if (value && length_of(*value) < least) {
    violated(path, *value, length_at_least(least));
  }
}

void Constraints::length_max(std::string_view path, const std::optional<std::string_view>& value,
                             std::size_t most) {
  if (value && length_of(*value) > most) {
    violated(path, *value, length_at_most(most));
  }
}

void Constraints::name_pattern(std::string_view path, const std::optional<std::string_view>& value) {
  if (value && !is_name(*value)) {
    violated(path, *value, "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
  }
}

void Constraints::one_of(std::string_view path, const std::optional<std::string_view>& value,
                         std::initializer_list<std::string_view> allowed) {
  if (!value || std::find(allowed.begin(), allowed.end(), *value) != allowed.end()) {
    return;
  }
  std::string rule = "Member must satisfy enum value set: [";
  for (const auto word : allowed) {
    rule.append(word == *allowed.begin() ? "" : ", ").append(word);
  }
  violated(path, *value, rule + "]");
}

void Constraints::value_min(std::string_view path, const std::optional<int64_t>& value, int64_t least) {
  if (value && *value < least) {
    violated(path, std::to_string(*value),
             "Member must have value greater than or equal to " + std::to_string(least));
  }
}

void Constraints::value_max(std::string_view path, const std::optional<int64_t>& value, int64_t most) {
  if (value && *value > most) {
    violated(path, std::to_string(*value),
             "Member must have value less than or equal to " + std::to_string(most));
  }
}

Status Constraints::status() const {
  if (texts_.empty()) {
    return {};
  }
  const auto told = std::min(texts_.size(), constraints_told_max);
  std::string message =
      std::to_string(told) + (told == 1 ? " validation error detected: " : " validation errors detected: ");
  for (std::size_t i = 0; i < told; ++i) {
    message.append(i == 0 ? "" : "; ").append(texts_[i]);
  }
  return invalid(std::move(message));
}

bool is_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
  });
}

std::string_view table_name_of(std::string_view name_or_arn) {
  constexpr std::string_view prefix = "arn:aws:dynamodb:";
  if (!name_or_arn.starts_with(prefix)) {
    return name_or_arn;
  }
  const auto account = name_or_arn.find(':', prefix.size());
  const auto resource = account == std::string_view::npos ? account : name_or_arn.find(':', account + 1);
  if (resource == std::string_view::npos || !name_or_arn.substr(resource + 1).starts_with("table/")) {
    return name_or_arn;
  }
  const auto name = name_or_arn.substr(resource + 1 + std::string_view("table/").size());
  return is_name(name) ? name : name_or_arn;
}

void check_table_name(Constraints& constraints, const std::optional<std::string_view>& name_or_arn,
                      std::string_view path) {
  constraints.not_null(path, name_or_arn);
  if (!name_or_arn) {
    return;
  }
  const auto name = table_name_of(*name_or_arn);
  if (name.empty()) {
    constraints.length_min(path, name, 1);
    return;
  }
  constraints.name_pattern(path, name);
  constraints.length_max(path, name, name_length_max);
}

Result<std::string_view> existing_table_name(const std::optional<std::string_view>& name_or_arn) {
  if (!name_or_arn) {
    return invalid("The parameter 'TableName' is required but was not present in the request");
  }
  const auto name = table_name_of(*name_or_arn);
  if (name.size() < name_length_min || name.size() > name_length_max) {
    return invalid("TableName must be at least 3 characters long and at most 255 characters long");
  }
  Constraints constraints;
  constraints.name_pattern("tableName", name);
  WAYBILL_TRY(constraints.status());
  return name;
}

}  // namespace waybill::api::dynamodb
