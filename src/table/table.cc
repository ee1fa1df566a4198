#include "table/table.h"

#include <algorithm>

namespace waybill::table {

int64_t Recovery::earliest_ms(int64_t now_ms) const {
  constexpr int64_t day_ms = int64_t{24} * 60 * 60 * 1000;
  return std::max(since_ms, now_ms - days * day_ms);
}

const Index* Table::find_index(std::string_view index_name) const {
  const auto found = std::find_if(indexes.begin(), indexes.end(),
                                  [&](const Index& index) { return index.name == index_name; });
  return found == indexes.end() ? nullptr : &*found;
}

bool Table::has_local_indexes() const {
  return std::any_of(indexes.begin(), indexes.end(),
                     [](const Index& index) { return index.kind == IndexKind::local; });
}

std::optional<item::Type> Table::defined_type(std::string_view attribute) const {
  const auto in_schema = [&](const KeySchema& schema) -> std::optional<item::Type> {
    if (schema.partition.name == attribute) {
      return schema.partition.type;
    }
    return schema.sort && schema.sort->name == attribute ? std::optional(schema.sort->type) : std::nullopt;
  };
  if (const auto type = in_schema(key)) {
    return type;
  }
  for (const auto& index : indexes) {
    if (const auto type = in_schema(index.key)) {
      return type;
    }
  }
  return std::nullopt;
}

}  // namespace waybill::table
