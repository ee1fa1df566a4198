#pragma once

#include <optional>
#include <string_view>

#include "api/dynamodb/item_request.h"
#include "api/dynamodb/page.h"
#include "expression/condition.h"
#include "store/store.h"
#include "table/range.h"

// What Query and Scan have in common, from the JSON to a PageRequest.
namespace waybill::api::dynamodb {

enum class Select : unsigned char { unsaid, all_attributes, all_projected, specific, count };

struct ReadFields {
  std::optional<std::string_view> table_name;
  std::optional<std::string_view> index_name;
  std::optional<std::string_view> select;
  std::optional<int64_t> limit;
  std::optional<std::string_view> capacity;
  std::optional<std::string_view> conditional_operator;
  std::optional<std::string_view> filter;
  std::optional<json::Value> names;
  std::optional<json::Value> values;
  std::optional<json::Value> legacy_filter;
  std::string_view legacy_filter_path;  // queryFilter or scanFilter
  ProjectionFields projection;
  bool consistent = false;

  // How the filter from before expressions is called: as a field, and in messages.
  struct FilterName {
    std::string_view field;
    std::string_view path;
  };

  static ReadFields read(const Fields& fields, const FilterName& legacy_filter);
};

Select select_of(const std::optional<std::string_view>& word);

// What Select allows besides it. "Cannot specify the ProjectionExpression when choosing to get only the
// Count" …
Status check_select(const ReadFields& fields);

// FilterExpression.
Result<expression::Condition> parse_filter(std::string_view text, expression::Placeholders& placeholders);

// The filter from before it; nullopt where there is none.
Result<std::optional<expression::Condition>> parse_legacy_filter(const ReadFields& fields);

// The index by that name; null where no name is given. Errors: no such index, a consistent read of a global
// one, one that is not filled yet.
Result<const table::Index*> find_index(const table::Table& table, const ReadFields& fields);

// Sets what depends on index and projection: whether items must be fetched from the table. Errors: a global
// index that does not hold what is asked for.
Status settle_projection(PageRequest& request, Select select);

// Each operation has its own words for what is wrong with a starting key.
enum class StartKeyOf : unsigned char { query, scan };

// ExclusiveStartKey as an entry's key bytes. Its parts are checked against table and index.
Result<std::string> parse_start_key(const table::Table& table, const table::Index* index,
                                    item::ItemView start, StartKeyOf operation);

// The same text before the error of a value inside ExclusiveStartKey.
Error in_start_key(Error error);

// The item that ExclusiveStartKey stands for; nullopt where it is not given.
Result<std::optional<item::Item>> take_start_key(ItemField field);

}  // namespace waybill::api::dynamodb
