#include "api/dynamodb/read_request.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "expression/legacy.h"
#include "table/key.h"
#include "table/validate.h"

namespace waybill::api::dynamodb {
namespace {

constexpr std::string_view start_key_invalid = "The provided starting key is invalid";

Error key_mismatch() {
  return invalid("The provided key element does not match the schema");
}

// The key attributes of table and index together, each once.
std::vector<const table::KeyAttribute*> start_key_attributes(const table::Table& table,
                                                             const table::Index* index) {
  std::vector<const table::KeyAttribute*> attributes{&table.key.partition};
  const auto add = [&](const table::KeyAttribute& attribute) {
    const bool known = std::any_of(attributes.begin(), attributes.end(),
                                   [&](const auto* other) { return other->name == attribute.name; });
    if (!known) {
      attributes.push_back(&attribute);
    }
  };
  if (table.key.sort) {
    add(*table.key.sort);
  }
  if (index != nullptr) {
    add(index->key.partition);
    if (index->key.sort) {
      add(*index->key.sort);
    }
  }
  return attributes;
}

std::size_t attribute_count(item::ItemView item) {
  std::size_t count = 0;
  for (item::AttributeCursor cursor(item); cursor.next();) {
    ++count;
  }
  return count;
}

Status check_start_key_part(const table::KeySchema& schema, const table::KeyAttribute& attribute,
                            item::ItemView start) {
  const auto value = start.find(attribute.name);
  if (value->type() != attribute.type) {
    return key_mismatch();
  }
  return table::check_key_value(schema, attribute, *value);
}

Status check_start_key_parts(const table::KeySchema& schema, item::ItemView start) {
  WAYBILL_TRY(check_start_key_part(schema, schema.partition, start));
  return schema.sort ? check_start_key_part(schema, *schema.sort, start) : Status();
}

// Whether `start` has exactly the key attributes of table and index.
bool has_start_key_shape(const table::Table& table, const table::Index* index, item::ItemView start) {
  const auto attributes = start_key_attributes(table, index);
  return attribute_count(start) == attributes.size() &&
         std::all_of(attributes.begin(), attributes.end(),
                     [&](const auto* attribute) { return start.find(attribute->name).has_value(); });
}

Error not_projected(const table::Index& index, const std::vector<std::string_view>& missing) {
  std::string text = "One or more parameter values were invalid: Global secondary index " + index.name +
                     " does not project [";
  for (const auto name : missing) {
    text.append(name == missing.front() ? "" : ", ").append(name);
  }
  return invalid(text + "]");
}

// The attributes that are asked for and not held by the index.
std::vector<std::string_view> missing_attributes(const PageRequest& request) {
  std::vector<std::string_view> missing;
  for (const auto name : request.projection->top_level_names()) {
    if (!table::keeps_attribute(*request.range.table, *request.range.index, name) &&
        std::find(missing.begin(), missing.end(), name) == missing.end()) {
      missing.push_back(name);
    }
  }
  return missing;
}

std::string_view select_words(Select select) {
  return select == Select::count            ? "only the Count"
         : select == Select::all_attributes ? "ALL_ATTRIBUTES"
                                            : "ALL_PROJECTED_ATTRIBUTES";
}

}  // namespace

ReadFields ReadFields::read(const Fields& fields, const FilterName& legacy_filter) {
  ReadFields read;
  read.table_name = fields.string("TableName");
  read.index_name = fields.string("IndexName");
  read.select = fields.string("Select");
  read.limit = fields.integer("Limit");
  read.capacity = fields.string("ReturnConsumedCapacity");
  read.conditional_operator = fields.string("ConditionalOperator");
  read.filter = fields.string("FilterExpression");
  read.names = read_names(fields);
  read.values = read_values(fields, "ExpressionAttributeValues");
  read.legacy_filter = read_conditions(fields, legacy_filter.field, "Condition");
  read.legacy_filter_path = legacy_filter.path;
  read.projection = ProjectionFields::read(fields);
  read.consistent = fields.boolean("ConsistentRead").value_or(false);
  return read;
}

Select select_of(const std::optional<std::string_view>& word) {
  if (word == "ALL_ATTRIBUTES") {
    return Select::all_attributes;
  }
  if (word == "ALL_PROJECTED_ATTRIBUTES") {
    return Select::all_projected;
  }
  if (word == "SPECIFIC_ATTRIBUTES") {
    return Select::specific;
  }
  return word == "COUNT" ? Select::count : Select::unsaid;
}

Status check_select(const ReadFields& fields) {
  const Select select = select_of(fields.select);
  if (select == Select::unsaid) {
    return {};
  }
  if (select == Select::specific) {
    return fields.projection.given() ? Status()
                                     : invalid(
                                           "Must specify the AttributesToGet or ProjectionExpression when "
                                           "choosing to get SPECIFIC_ATTRIBUTES");
  }
  if (fields.projection.given()) {
    return invalid(std::string("Cannot specify the ")
                       .append(fields.projection.expression ? "ProjectionExpression" : "AttributesToGet")
                       .append(" when choosing to get ")
                       .append(select_words(select)));
  }
  if (select == Select::all_projected && !fields.index_name) {
    return invalid("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
  }
  return {};
}

Result<expression::Condition> parse_filter(std::string_view text, expression::Placeholders& placeholders) {
  return expression::Condition::parse(text, expression::ExpressionKind::filter, placeholders);
}

Result<std::optional<expression::Condition>> parse_legacy_filter(const ReadFields& fields) {
  if (!fields.legacy_filter || fields.legacy_filter->size() == 0) {
    return std::optional<expression::Condition>();
  }
  auto parsed = expression::filter_from_conditions(*fields.legacy_filter, fields.conditional_operator,
                                                   fields.legacy_filter_path);
  if (!parsed) {
    return without_envelope(std::move(parsed).error());
  }
  return std::optional(*std::move(parsed));
}

Result<const table::Index*> find_index(const table::Table& table, const ReadFields& fields) {
  if (!fields.index_name) {
    return nullptr;
  }
  const auto* index = table.find_index(*fields.index_name);
  if (index == nullptr) {
    return invalid(std::string("The table does not have the specified index: ").append(*fields.index_name));
  }
  if (index->kind == table::IndexKind::global && fields.consistent) {
    return invalid("Consistent reads are not supported on global secondary indexes");
  }
  if (index->backfilling) {
    return invalid("Cannot read from backfilling global secondary index: " + index->name);
  }
  return index;
}

Status settle_projection(PageRequest& request, Select select) {
  const auto* index = request.range.index;
  request.count_only = select == Select::count;
  if (index == nullptr || index->projection.kind == table::ProjectionKind::all) {
    return {};
  }
  const bool global = index->kind == table::IndexKind::global;
  if (select == Select::all_attributes) {
    request.fetch_items = !global;
    return global ? invalid(
                        "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not "
                        "supported for global secondary index " +
                        index->name + " because its projection type is not ALL")
                  : Status();
  }
  if (!request.projection) {
    return {};
  }
  const auto missing = missing_attributes(request);
  if (global && !missing.empty()) {
    return not_projected(*index, missing);
  }
  request.fetch_items = !missing.empty();
  return {};
}

Result<std::string> parse_start_key(const table::Table& table, const table::Index* index,
                                    item::ItemView start, StartKeyOf operation) {
  const bool of_table_scan = index == nullptr && operation == StartKeyOf::scan;
  if (!has_start_key_shape(table, index, start)) {
    return of_table_scan ? in_start_key(key_mismatch()) : invalid(std::string(start_key_invalid));
  }
  // What is wrong with the index's key is told as of any key; only the rest as of a starting key.
  if (index != nullptr) {
    WAYBILL_TRY(check_start_key_parts(index->key, start));
  }
  if (auto checked = check_start_key_parts(table.key, start); !checked) {
    return in_start_key(std::move(checked).error());
  }
  std::string primary = table::primary_key(table.key, start);
  if (index == nullptr) {
    return primary;
  }
  auto entry = table::entry_key(*index, start, primary);
  return entry ? Result<std::string>(*std::move(entry)) : invalid(std::string(start_key_invalid));
}

Error in_start_key(Error error) {
  if (error.kind == ErrorKind::invalid) {
    error = without_envelope(std::move(error));
    error.message.insert(0, std::string(start_key_invalid) + ": ");
  }
  return error;
}

Result<std::optional<item::Item>> take_start_key(ItemField field) {
  if (!field.present()) {
    return std::optional<item::Item>();
  }
  auto taken = std::move(field).take();
  if (!taken) {
    return in_start_key(std::move(taken).error());
  }
  return std::optional(*std::move(taken));
}

}  // namespace waybill::api::dynamodb
