#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/dynamodb/fields.h"
#include "base/result.h"

// Tags of tables: names and values that mean something to whoever set them.
namespace waybill::api::dynamodb {

inline constexpr std::size_t tags_max = 50;

using Tags = std::vector<std::pair<std::string, std::string>>;

struct GivenTag {
  std::optional<std::string_view> key;
  std::optional<std::string_view> value;
};

std::optional<std::vector<GivenTag>> read_tags(const Fields& fields);

// `tags` with those given added; of one key the last value counts. Error invalid, with the service's text.
Result<Tags> merge_tags(Tags tags, const std::vector<GivenTag>& given);

}  // namespace waybill::api::dynamodb
