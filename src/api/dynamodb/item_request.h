#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "api/dynamodb/constraints.h"
#include "api/dynamodb/fields.h"
#include "base/json.h"
#include "base/result.h"
#include "expression/placeholders.h"
#include "expression/projection.h"
#include "item/value.h"
#include "store/store.h"
#include "table/table.h"

// What requests about items have in common: keys and items, the two generations of parameters, projections.
namespace waybill::api::dynamodb {

// Error not_found with the service's text where there is no such table.
Result<table::TablePtr> find_table(const store::Store& store, std::string_view name_or_arn);

// The service puts "1 validation error detected: " before some texts in some operations and not in others.
// Without it, and with it once.
Error without_envelope(Error error);
Error in_envelope(Error error);

// An Item or a Key. Wrong JSON types are told before anything else, wrong values after all constraints:
//   ItemField key(fields.map("Key", "AttributeValue"), reading);
//   … WAYBILL_TRY(reading.status()); … WAYBILL_TRY(constraints.status());
//   WAYBILL_TRY_ASSIGN(item::Item item, std::move(key).take());
class ItemField {
 public:
  ItemField(const std::optional<json::Value>& value, Reading& reading);

  bool present() const { return present_; }

  // The item; kind invalid where a value is wrong. To be called only where it is present.
  Result<item::Item> take() && { return std::move(item_); }

 private:
  bool present_ = false;
  Result<item::Item> item_ = item::Item{};
};

// What the service says of a value inside a nested collection that is none itself: its parser's own words.
inline constexpr std::string_view parser_cast_failure =
    "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class "
    "java.lang.Class "
    "(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module "
    "java.base "
    "of loader 'bootstrap')";

// ExpressionAttributeNames: an object of strings.
std::optional<json::Value> read_names(const Fields& fields);

// ExpressionAttributeValues, and every other object of attribute values. All its JSON types are looked at.
std::optional<json::Value> read_values(const Fields& fields, std::string_view name);

// Expected, AttributeUpdates and the conditions from before expressions: an object of structures of `type`,
// "Condition", "ExpectedAttributeValue" or "AttributeValueUpdate". All its JSON types are looked at.
std::optional<json::Value> read_conditions(const Fields& fields, std::string_view name,
                                           std::string_view type);

struct Parameter {
  std::string_view name;
  bool given = false;
};

// "Can not use both expression and non-expression parameters in the same request: …"
Status check_not_mixed(std::initializer_list<Parameter> legacy, std::initializer_list<Parameter> expressions);

// ConditionalOperator needs two conditions to stand between.
Status check_conditional_operator(const std::optional<std::string_view>& conditional_operator,
                                  const std::optional<json::Value>& conditions);

// The parts of items that a read asks for: ProjectionExpression, or AttributesToGet from before it.
struct ProjectionFields {
  std::optional<std::string_view> expression;
  std::optional<std::vector<std::string_view>> attributes;

  static ProjectionFields read(const Fields& fields);

  bool given() const { return expression || attributes; }

  // AttributesToGet must not be empty. `path` is its place, "attributesToGet".
  void check(Constraints& constraints, std::string_view path) const;

  // nullopt for whole items.
  Result<std::optional<expression::Projection>> parse(expression::Placeholders& placeholders) const;
};

// A read of single items has this one expression; names belong to it alone. What excludes each other is told
// before any value is looked at.
Status check_only_projection(const ProjectionFields& projection, const std::optional<json::Value>& names);
Result<std::optional<expression::Projection>> parse_only_projection(const ProjectionFields& projection,
                                                                    const std::optional<json::Value>& names);

// Words of a request: ReturnConsumedCapacity, ReturnItemCollectionMetrics, ConditionalOperator.
void check_capacity_word(Constraints& constraints, const std::optional<std::string_view>& word);
void check_metrics_word(Constraints& constraints, const std::optional<std::string_view>& word);
void check_operator_word(Constraints& constraints, const std::optional<std::string_view>& word);

}  // namespace waybill::api::dynamodb
