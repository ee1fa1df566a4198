#include "api/dynamodb/item_request.h"

#include <algorithm>
#include <string>

#include "item/json.h"
#include "item/json_types.h"

namespace waybill::api::dynamodb {
namespace {

constexpr std::string_view envelope = "1 validation error detected: ";

std::string listed(std::initializer_list<Parameter> parameters) {
  std::string names;
  for (const auto& parameter : parameters) {
    if (parameter.given) {
      names.append(names.empty() ? "" : ", ").append(parameter.name);
    }
  }
  return names;
}

void tell(const Status& status, Reading& reading) {
  if (!status) {
    reading.fail(status.error());
  }
}

// The fields of Condition, ExpectedAttributeValue and AttributeValueUpdate.
void check_condition_types(const Fields& condition, std::string_view type) {
  if (type == "AttributeValueUpdate") {
    condition.string("Action");
  } else {
    condition.string("ComparisonOperator");
  }
  if (type == "ExpectedAttributeValue") {
    condition.boolean("Exists");
  }
  if (type != "Condition" && condition.structure("Value", "AttributeValue")) {
    tell(item::check_types(*condition.any("Value")), condition.reading());
  }
  const auto list = type == "AttributeValueUpdate" ? std::nullopt : condition.list("AttributeValueList");
  if (list) {
    for (json::Elements elements(*list); elements.next();) {
      tell(item::check_types(elements.value()), condition.reading());
    }
  }
}

expression::PlaceholderSource placeholder_source(const ProjectionFields& projection,
                                                 const std::optional<json::Value>& names) {
  expression::PlaceholderSource source;
  source.names = names;
  source.names_allowed = projection.expression.has_value();
  return source;
}

Status check_distinct(const std::vector<std::string_view>& names) {
  std::vector<std::string_view> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice == sorted.end()) {
    return {};
  }
  return invalid(std::string("One or more parameter values were invalid: Duplicate value in attribute name: ")
                     .append(*twice));
}

}  // namespace

Result<table::TablePtr> find_table(const store::Store& store, std::string_view name_or_arn) {
  const auto name = table_name_of(name_or_arn);
  WAYBILL_TRY(store.may_know(name));
  // A statement may have any text for a name, that of a table of the system's own as well.
  auto table = is_name(name) ? store.find_table(name) : nullptr;
  if (!table || table->state != table::TableState::ready) {
    return Error{ErrorKind::not_found, "Requested resource not found", {}};
  }
  return table;
}

Error without_envelope(Error error) {
  // What breaks a constraint keeps it in every operation: "1 validation error detected: Value null at …".
  const bool removable = error.kind == ErrorKind::invalid && error.message.starts_with(envelope) &&
                         !error.message.starts_with(std::string(envelope) + "Value ");
  if (removable) {
    error.message.erase(0, envelope.size());
  }
  return error;
}

Error in_envelope(Error error) {
  if (error.kind == ErrorKind::invalid && !error.message.starts_with(envelope)) {
    error.message.insert(0, envelope);
  }
  return error;
}

ItemField::ItemField(const std::optional<json::Value>& value, Reading& reading) {
  if (!value) {
    return;
  }
  present_ = true;
  item_ = item::parse_item(*value);
  if (!item_ && item_.error().kind == ErrorKind::malformed) {
    reading.fail(item_.error());
  }
}

std::optional<json::Value> read_names(const Fields& fields) {
  return fields.string_map("ExpressionAttributeNames");
}

std::optional<json::Value> read_values(const Fields& fields, std::string_view name) {
  auto map = fields.map(name, "AttributeValue");
  if (map) {
    tell(item::check_member_types(*map), fields.reading());
  }
  return map;
}

std::optional<json::Value> read_conditions(const Fields& fields, std::string_view name,
                                           std::string_view type) {
  auto map = fields.map(name, type);
  if (!map) {
    return map;
  }
  for (json::Members members(*map); members.next() && !fields.reading().failed();) {
    if (members.value().is_null()) {
      continue;
    }
    if (const auto condition = read_structure(members.value(), type, fields.reading())) {
      check_condition_types(*condition, type);
    }
  }
  return map;
}

Status check_not_mixed(std::initializer_list<Parameter> legacy,
                       std::initializer_list<Parameter> expressions) {
  const auto given = [](const Parameter& parameter) { return parameter.given; };
  if (std::none_of(legacy.begin(), legacy.end(), given) ||
      std::none_of(expressions.begin(), expressions.end(), given)) {
    return {};
  }
  return invalid(
      "Can not use both expression and non-expression parameters in the same request: "
      "Non-expression parameters: {" +
      listed(legacy) + "} Expression parameters: {" + listed(expressions) + "}");
}

Status check_conditional_operator(const std::optional<std::string_view>& conditional_operator,
                                  const std::optional<json::Value>& conditions) {
  if (!conditional_operator) {
    return {};
  }
  const std::size_t count = conditions ? conditions->size() : 0;
  if (count == 0) {
    return invalid("ConditionalOperator cannot be used without Filter or Expected");
  }
  if (count == 1) {
    return invalid("ConditionalOperator can only be used when Filter or Expected has two or more elements");
  }
  return {};
}

ProjectionFields ProjectionFields::read(const Fields& fields) {
  return {fields.string("ProjectionExpression"), fields.strings("AttributesToGet")};
}

void ProjectionFields::check(Constraints& constraints, std::string_view path) const {
  if (attributes && attributes->empty()) {
    constraints.violated(path, "[]", length_at_least(1));
  }
}

Result<std::optional<expression::Projection>> ProjectionFields::parse(
    expression::Placeholders& placeholders) const {
  if (expression) {
    WAYBILL_TRY_ASSIGN(auto projection, expression::Projection::parse(*expression, placeholders));
    return std::optional(std::move(projection));
  }
  if (!attributes) {
    return std::optional<expression::Projection>();
  }
  WAYBILL_TRY(check_distinct(*attributes));
  return std::optional(
      expression::Projection::from_names(std::vector<std::string>(attributes->begin(), attributes->end())));
}

Status check_only_projection(const ProjectionFields& projection, const std::optional<json::Value>& names) {
  WAYBILL_TRY(check_not_mixed({{"AttributesToGet", projection.attributes.has_value()}},
                              {{"ProjectionExpression", projection.expression.has_value()}}));
  return expression::Placeholders::check_allowed(placeholder_source(projection, names));
}

Result<std::optional<expression::Projection>> parse_only_projection(const ProjectionFields& projection,
                                                                    const std::optional<json::Value>& names) {
  WAYBILL_TRY(check_only_projection(projection, names));
  WAYBILL_TRY_ASSIGN(auto placeholders,
                     expression::Placeholders::parse(placeholder_source(projection, names)));
  WAYBILL_TRY_ASSIGN(auto parsed, projection.parse(placeholders));
  WAYBILL_TRY(placeholders.check_all_used());
  return parsed;
}

void check_capacity_word(Constraints& constraints, const std::optional<std::string_view>& word) {
  constraints.one_of("returnConsumedCapacity", word, {"INDEXES", "TOTAL", "NONE"});
}

void check_metrics_word(Constraints& constraints, const std::optional<std::string_view>& word) {
  constraints.one_of("returnItemCollectionMetrics", word, {"SIZE", "NONE"});
}

void check_operator_word(Constraints& constraints, const std::optional<std::string_view>& word) {
  constraints.one_of("conditionalOperator", word, {"OR", "AND"});
}

}  // namespace waybill::api::dynamodb
