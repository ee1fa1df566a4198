#include <string>
#include <utility>

#include "api/dynamodb/operations.h"
#include "api/dynamodb/read_request.h"
#include "expression/key_condition.h"
#include "expression/legacy.h"
#include "table/validate.h"

namespace waybill::api::dynamodb {
namespace {

struct QueryFields {
  ReadFields read;
  std::optional<std::string_view> key_condition;
  std::optional<json::Value> key_conditions;  // from before expressions
  bool forward = true;
};

QueryFields read_fields(const Fields& fields) {
  QueryFields query;
  query.read = ReadFields::read(fields, {"QueryFilter", "queryFilter"});
  query.key_condition = fields.string("KeyConditionExpression");
  query.key_conditions = read_structures(fields, "KeyConditions", "Condition");
  query.forward = fields.boolean("ScanIndexForward").value_or(true);
  return query;
}

Status check_constraints(const QueryFields& fields) {
  Constraints constraints;
  check_table_name(constraints, fields.read.table_name);
  check_capacity_word(constraints, fields.read.capacity);
  constraints.one_of("select", fields.read.select,
                     {"SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"});
  if (fields.read.limit && *fields.read.limit < 1) {
    constraints.violated("Limit", "Member must have value greater than or equal to 1");
  }
  fields.read.projection.check(constraints, "attributesToGet");
  check_operator_word(constraints, fields.read.conditional_operator);
  return constraints.status();
}

Status check_generations(const QueryFields& fields) {
  return check_not_mixed({{"QueryFilter", fields.read.legacy_filter.has_value()},
                          {"ConditionalOperator", fields.read.conditional_operator.has_value()},
                          {"AttributesToGet", fields.read.projection.attributes.has_value()},
                          {"KeyConditions", fields.key_conditions.has_value()}},
                         {{"ProjectionExpression", fields.read.projection.expression.has_value()},
                          {"FilterExpression", fields.read.filter.has_value()},
                          {"KeyConditionExpression", fields.key_condition.has_value()}});
}

Result<expression::Placeholders> parse_placeholders(const QueryFields& fields) {
  expression::PlaceholderSource source;
  source.names = fields.read.names;
  source.values = fields.read.values;
  source.values_allowed = fields.read.filter || fields.key_condition;
  source.names_allowed = source.values_allowed || fields.read.projection.expression;
  source.values_refused_because = "FilterExpression is null and KeyConditionExpression is null";
  return expression::Placeholders::parse(source);
}

expression::KeyNames key_names(const table::KeySchema& schema) {
  expression::KeyNames names{schema.partition.name, std::nullopt, schema.partition.type, std::nullopt};
  if (schema.sort) {
    names.sort = schema.sort->name;
    names.sort_type = schema.sort->type;
  }
  return names;
}

Status check_key_values(const table::KeySchema& schema, const expression::KeyCondition& condition) {
  WAYBILL_TRY(table::check_key_value(schema, schema.partition, condition.partition_value()));
  if (condition.op != expression::SortOperator::none) {
    WAYBILL_TRY(table::check_key_value(schema, *schema.sort, condition.low_value()));
  }
  if (condition.op == expression::SortOperator::between) {
    WAYBILL_TRY(table::check_key_value(schema, *schema.sort, condition.high_value()));
  }
  return {};
}

Result<expression::KeyCondition> parse_key_condition(const QueryFields& fields,
                                                     const table::KeySchema& schema,
                                                     expression::Placeholders& placeholders) {
  if (!fields.key_condition && (!fields.key_conditions || fields.key_conditions->size() == 0)) {
    return invalid(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.");
  }
  const auto names = key_names(schema);
  auto condition = fields.key_condition
                       ? expression::parse_key_condition(*fields.key_condition, placeholders, names)
                       : expression::key_condition_from_conditions(*fields.key_conditions, names);
  if (!condition) {
    return without_envelope(std::move(condition).error());
  }
  WAYBILL_TRY(check_key_values(schema, *condition));
  return condition;
}

// A filter works on what the keys have let through; it must not ask about them again.
Status check_filter_keys(const PageRequest& page, const QueryFields& fields, const table::KeySchema& schema) {
  for (const auto* key : {&schema.partition, schema.sort ? &*schema.sort : nullptr}) {
    if (key != nullptr && page.filter && page.filter->mentions(key->name)) {
      return invalid(std::string(fields.read.filter ? "Filter Expression" : "QueryFilter")
                         .append(" can only contain non-primary key attributes: Primary key attribute: ")
                         .append(key->name));
    }
  }
  return {};
}

Status resume(PageRequest& page, const table::KeySchema& schema, const expression::KeyCondition& condition,
              item::ItemView start) {
  auto range = table::range_of(condition);
  WAYBILL_TRY_ASSIGN(const std::string key, parse_start_key(*page.range.table, page.range.index, start));
  if (!item::equal(*start.find(schema.partition.name), condition.partition_value())) {
    return invalid("The provided starting key is outside query boundaries based on provided conditions");
  }
  if (!range.holds(key)) {
    return invalid("The provided starting key does not match the range key predicate");
  }
  range.resume_after(key, page.range.forward);
  page.range.begin = std::move(range.begin);
  page.range.end = std::move(range.end);
  return {};
}

Status settle_range(PageRequest& page, const table::KeySchema& schema,
                    const expression::KeyCondition& condition, const std::optional<item::Item>& start) {
  if (start) {
    return resume(page, schema, condition, start->view());
  }
  auto range = table::range_of(condition);
  page.range.begin = std::move(range.begin);
  page.range.end = std::move(range.end);
  return {};
}

// "… when choosing to get SPECIFIC_ATTRIBUTES" comes in the envelope; the others do not.
Status check_query_select(const ReadFields& fields) {
  auto checked = check_select(fields);
  if (!checked && select_of(fields.select) == Select::specific) {
    return in_envelope(std::move(checked).error());
  }
  return checked;
}

Status find_source(const store::Store& store, const ReadFields& fields, PageRequest& page) {
  WAYBILL_TRY_ASSIGN(page.range.table, find_table(store, *fields.table_name));
  WAYBILL_TRY_ASSIGN(page.range.index, find_index(*page.range.table, fields));
  return {};
}

// A key condition that cannot be read is told before a table or index that is not there; what it says about
// the keys can be looked at only with them.
Error earlier_fault(const QueryFields& fields, expression::Placeholders& placeholders, Error later) {
  if (!fields.key_condition) {
    return later;
  }
  auto parsed = expression::Condition::parse(*fields.key_condition, expression::ExpressionKind::key_condition,
                                             placeholders);
  return parsed ? later : std::move(parsed).error();
}

// What needs no table is looked at first. The order is that in which the service tells faults.
Result<PageRequest> decide(const store::Store& store, const QueryFields& fields, ItemField start_field) {
  PageRequest page;
  WAYBILL_TRY(check_generations(fields));
  WAYBILL_TRY_ASSIGN(auto placeholders, parse_placeholders(fields));
  WAYBILL_TRY(check_conditional_operator(fields.read.conditional_operator, fields.read.legacy_filter));
  WAYBILL_TRY_ASSIGN(page.filter, parse_filter(fields.read, placeholders));
  WAYBILL_TRY_ASSIGN(const auto start, take_start_key(std::move(start_field)));
  WAYBILL_TRY(check_query_select(fields.read));
  if (auto found = find_source(store, fields.read, page); !found) {
    return earlier_fault(fields, placeholders, std::move(found).error());
  }
  const auto& schema = page.range.index != nullptr ? page.range.index->key : page.range.table->key;
  WAYBILL_TRY_ASSIGN(const auto condition, parse_key_condition(fields, schema, placeholders));
  page.range.forward = fields.forward;
  WAYBILL_TRY(settle_range(page, schema, condition, start));
  WAYBILL_TRY(check_filter_keys(page, fields, schema));
  WAYBILL_TRY_ASSIGN(page.projection, fields.read.projection.parse(placeholders));
  WAYBILL_TRY(placeholders.check_all_used());
  WAYBILL_TRY(settle_projection(page, select_of(fields.read.select)));
  page.limit = fields.read.limit;
  page.units.consistent = fields.read.consistent;
  page.capacity = capacity_detail(fields.read.capacity);
  return page;
}

Result<std::string> answer(const store::Store& store, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  const auto query = read_fields(fields);
  ItemField start(fields.map("ExclusiveStartKey", "AttributeValue"), reading);
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY(check_constraints(query));
  WAYBILL_TRY_ASSIGN(const auto page, decide(store, query, std::move(start)));
  return read_page(store, page);
}

}  // namespace

void query(Call call, const json::Value& body) {
  auto result = answer(call.store(), body);
  call.answer(std::move(result));
}

}  // namespace waybill::api::dynamodb
