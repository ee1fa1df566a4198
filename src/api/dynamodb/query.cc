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
  query.key_conditions = read_conditions(fields, "KeyConditions", "Condition");
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

expression::PlaceholderSource placeholder_source(const QueryFields& fields) {
  expression::PlaceholderSource source;
  source.names = fields.read.names;
  source.values = fields.read.values;
  source.values_allowed = fields.read.filter || fields.key_condition;
  source.names_allowed = source.values_allowed || fields.read.projection.expression;
  source.values_refused_because = "FilterExpression is null and KeyConditionExpression is null";
  return source;
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

// KeyConditions from before expressions; no rules where they are not given.
Result<expression::KeyRules> parse_legacy_rules(const QueryFields& fields) {
  if (!fields.key_conditions || fields.key_conditions->size() == 0) {
    return expression::KeyRules();
  }
  auto rules = expression::key_rules_from_conditions(*fields.key_conditions);
  return rules ? std::move(rules) : without_envelope(std::move(rules).error());
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

// Where a read goes on: the key bytes of ExclusiveStartKey, and the value of the partition in it.
struct Start {
  std::string key;
  item::ValueView partition;
};

Result<std::optional<Start>> parse_start(const PageRequest& page, const table::KeySchema& schema,
                                         const std::optional<item::Item>& given) {
  if (!given) {
    return std::optional<Start>();
  }
  WAYBILL_TRY_ASSIGN(std::string key,
                     parse_start_key(*page.range.table, page.range.index, given->view(), StartKeyOf::query));
  return std::optional(Start{std::move(key), *given->view().find(schema.partition.name)});
}

Status settle_range(PageRequest& page, const expression::KeyCondition& condition,
                    const std::optional<Start>& start) {
  auto range = table::range_of(condition);
  if (start && !item::equal(start->partition, condition.partition_value())) {
    return invalid("The provided starting key is outside query boundaries based on provided conditions");
  }
  if (start && !range.holds(start->key)) {
    return invalid("The provided starting key does not match the range key predicate");
  }
  if (start) {
    range.resume_after(start->key, page.range.forward);
  }
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

// What a request says by itself, without the table it is about.
struct Asked {
  expression::KeyRules rules;
  std::optional<item::Item> start;
  std::optional<expression::Condition> filter;
  std::optional<expression::Projection> projection;
};

// The order is that in which the service tells faults.
Result<Asked> parse(const QueryFields& fields, ItemField start_field) {
  Asked asked;
  WAYBILL_TRY(check_generations(fields));
  WAYBILL_TRY(expression::Placeholders::check_allowed(placeholder_source(fields)));
  WAYBILL_TRY_ASSIGN(asked.rules, parse_legacy_rules(fields));
  WAYBILL_TRY(check_conditional_operator(fields.read.conditional_operator, fields.read.legacy_filter));
  WAYBILL_TRY_ASSIGN(asked.filter, parse_legacy_filter(fields.read));
  WAYBILL_TRY_ASSIGN(asked.start, take_start_key(std::move(start_field)));
  WAYBILL_TRY_ASSIGN(auto placeholders, expression::Placeholders::parse(placeholder_source(fields)));
  if (fields.key_condition) {
    WAYBILL_TRY_ASSIGN(asked.rules, expression::parse_key_rules(*fields.key_condition, placeholders));
  }
  if (fields.read.filter) {
    WAYBILL_TRY_ASSIGN(asked.filter, parse_filter(*fields.read.filter, placeholders));
  }
  WAYBILL_TRY_ASSIGN(asked.projection, fields.read.projection.parse(placeholders));
  if (asked.rules.empty()) {
    return invalid(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.");
  }
  WAYBILL_TRY(placeholders.check_all_used());
  WAYBILL_TRY(check_query_select(fields.read));
  return asked;
}

Result<PageRequest> decide(const store::Store& store, const QueryFields& fields, Asked asked) {
  PageRequest page;
  WAYBILL_TRY_ASSIGN(page.range.table, find_table(store, *fields.read.table_name));
  WAYBILL_TRY_ASSIGN(page.range.index, find_index(*page.range.table, fields.read));
  const auto& schema = page.range.index != nullptr ? page.range.index->key : page.range.table->key;
  WAYBILL_TRY_ASSIGN(const auto start, parse_start(page, schema, asked.start));
  WAYBILL_TRY_ASSIGN(const auto condition, expression::match_key(std::move(asked.rules), key_names(schema)));
  WAYBILL_TRY(check_key_values(schema, condition));
  page.filter = std::move(asked.filter);
  page.projection = std::move(asked.projection);
  page.range.forward = fields.forward;
  WAYBILL_TRY(settle_range(page, condition, start));
  WAYBILL_TRY(check_filter_keys(page, fields, schema));
  WAYBILL_TRY(settle_projection(page, select_of(fields.read.select)));
  page.limit = fields.read.limit;
  page.range.count_wanted = static_cast<std::size_t>(fields.read.limit.value_or(0));
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
  WAYBILL_TRY_ASSIGN(auto asked, parse(query, std::move(start)));
  WAYBILL_TRY_ASSIGN(const auto page, decide(store, query, std::move(asked)));
  return read_page(store, page);
}

}  // namespace

void query(Call call, const json::Value& body) {
  auto result = answer(call.store(), body);
  call.answer(std::move(result));
}

}  // namespace waybill::api::dynamodb
