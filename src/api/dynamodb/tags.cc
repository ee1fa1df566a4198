#include "api/dynamodb/tags.h"

#include <algorithm>

#include "table/create_rules.h"

namespace waybill::api::dynamodb {
namespace {

constexpr std::size_t tag_key_length_max = 128;
constexpr std::size_t tag_value_length_max = 256;

Status check_tag(std::string_view key, std::string_view value) {
  Constraints lengths;
  lengths.length_min("", key, 1);
  lengths.length_max("", key, tag_key_length_max);
  if (!lengths.empty()) {
    return table::invalid_parameter("Tag key must be between 1 and 128 characters");
  }
  lengths.length_max("", value, tag_value_length_max);
  if (!lengths.empty()) {
    return table::invalid_parameter("Tag value must be between 0 and 256 characters");
  }
  if (key.starts_with("aws:")) {
    return table::invalid_parameter("Tag keys starting with aws: are reserved for system use");
  }
  return {};
}

}  // namespace

std::optional<std::vector<GivenTag>> read_tags(const Fields& fields) {
  const auto elements = fields.structures("Tags", "Tag");
  if (!elements) {
    return std::nullopt;
  }
  std::vector<GivenTag> tags;
  for (const auto& element : *elements) {
    tags.push_back(GivenTag{element.string("Key"), element.string("Value")});
  }
  return tags;
}

Result<Tags> merge_tags(Tags tags, const std::vector<GivenTag>& given) {
  Constraints constraints;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto path = "tags." + std::to_string(i + 1) + ".member";
    constraints.not_null(path + ".key", given[i].key);
    constraints.not_null(path + ".value", given[i].value);
  }
  WAYBILL_TRY(constraints.status());
  for (const auto& tag : given) {
    WAYBILL_TRY(check_tag(*tag.key, *tag.value));
    const auto same =
        std::find_if(tags.begin(), tags.end(), [&](const auto& entry) { return entry.first == *tag.key; });
    if (same != tags.end()) {
      same->second = *tag.value;
    } else {
      tags.emplace_back(*tag.key, *tag.value);
    }
  }
  if (tags.size() > tags_max) {
    return table::invalid_parameter("Too many tags: tag limit is " + std::to_string(tags_max));
  }
  return tags;
}

}  // namespace waybill::api::dynamodb
