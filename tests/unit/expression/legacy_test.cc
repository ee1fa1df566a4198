#include "expression/legacy.h"

#include "expression/testing.h"

namespace waybill::expression::testing {
namespace {

constexpr std::string_view sample =
    R"({"a":{"S":"x"},"n":{"N":"5"},"l":{"L":[{"N":"1"}]},"ss":{"SS":["a","b"]},"m":{"M":{}}})";

std::string condition_json(std::string_view attribute, std::string_view op, std::string_view list) {
  return "{\"" + std::string(attribute) + "\":{\"ComparisonOperator\":\"" + std::string(op) +
         "\",\"AttributeValueList\":[" + std::string(list) + "]}}";
}

Result<Condition> filter(std::string_view json, std::optional<std::string_view> op = std::nullopt) {
  const Document document(json);
  return filter_from_conditions(document.value(), op, "scanFilter");
}

Result<Condition> expected(std::string_view json, std::optional<std::string_view> op = std::nullopt) {
  const Document document(json);
  return condition_from_expected(document.value(), op);
}

bool matches(std::string_view attribute, std::string_view op, std::string_view list) {
  const auto condition = filter(condition_json(attribute, op, list));
  EXPECT_TRUE(condition.has_value()) << attribute << op << list << message_of(condition);
  return condition && condition->holds(make_item(sample).view());
}

TEST(Legacy, Operators) {
  EXPECT_TRUE(matches("a", "EQ", R"({"S":"x"})"));
  EXPECT_TRUE(matches("l", "EQ", R"({"L":[{"N":"1"}]})"));
  EXPECT_TRUE(matches("zz", "NE", R"({"S":"x"})"));
  EXPECT_TRUE(matches("a", "NE", R"({"N":"1"})"));
  EXPECT_TRUE(matches("n", "IN", R"({"N":"4"},{"N":"5"})"));
  EXPECT_TRUE(matches("n", "LE", R"({"N":"5"})"));
  EXPECT_FALSE(matches("n", "LT", R"({"N":"5"})"));
  EXPECT_TRUE(matches("n", "GE", R"({"N":"5"})"));
  EXPECT_FALSE(matches("n", "GT", R"({"N":"5"})"));
  EXPECT_TRUE(matches("n", "BETWEEN", R"({"N":"5"},{"N":"6"})"));
  EXPECT_TRUE(matches("a", "NOT_NULL", ""));
  EXPECT_TRUE(matches("zz", "NULL", ""));
  EXPECT_TRUE(matches("l", "CONTAINS", R"({"N":"1"})"));
  EXPECT_TRUE(matches("ss", "NOT_CONTAINS", R"({"S":"z"})"));
  EXPECT_FALSE(matches("zz", "NOT_CONTAINS", R"({"S":"z"})"));
  EXPECT_TRUE(matches("a", "BEGINS_WITH", R"({"S":"x"})"));
}

TEST(Legacy, JoinsByTheConditionalOperator) {
  constexpr std::string_view two =
      R"({"a":{"Value":{"S":"x"}},"n":{"ComparisonOperator":"EQ","Value":{"N":"6"}}})";
  const auto item = make_item(sample);
  EXPECT_FALSE(expected(two)->holds(item.view()));
  EXPECT_FALSE(expected(two, "AND")->holds(item.view()));
  EXPECT_TRUE(expected(two, "OR")->holds(item.view()));
  EXPECT_TRUE(expected("{}", "OR")->holds(item.view()));
  EXPECT_TRUE(expected(two)->mentions("n"));
}

TEST(Legacy, Exists) {
  const auto item = make_item(sample);
  EXPECT_TRUE(expected(R"({"zz":{"Exists":false}})")->holds(item.view()));
  EXPECT_FALSE(expected(R"({"a":{"Exists":false}})")->holds(item.view()));
  EXPECT_TRUE(expected(R"({"a":{"Exists":true,"Value":{"S":"x"}}})")->holds(item.view()));
  // Of two members with one name the last counts.
  EXPECT_TRUE(expected(R"({"a":{"Exists":false},"a":{"Value":{"S":"x"}}})")->holds(item.view()));
}

TEST(Legacy, ErrorsOfExpected) {
  const auto problem = [](std::string_view json) {
    const std::string message = message_of(expected(json));
    const std::string prefix = "One or more parameter values were invalid: ";
    return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
  };
  EXPECT_EQ(problem(R"({"a":{}})"), "Value must be provided when Exists is null for Attribute: a");
  EXPECT_EQ(problem(R"({"a":{"Exists":true}})"),
            "Value must be provided when Exists is true for Attribute: a");
  EXPECT_EQ(problem(R"({"a":{"Exists":false,"Value":{"S":"x"}}})"),
            "Value cannot be used when Exists is false for Attribute: a");
  EXPECT_EQ(problem(R"({"a":{"Exists":true,"ComparisonOperator":"EQ","Value":{"S":"x"}}})"),
            "Exists and ComparisonOperator cannot be used together for Attribute: a");
  EXPECT_EQ(problem(R"({"a":{"AttributeValueList":[{"S":"x"}]}})"),
            "AttributeValueList can only be used with a ComparisonOperator for Attribute: a");
  EXPECT_EQ(
      problem(R"({"a":{"ComparisonOperator":"EQ","Value":{"S":"x"},"AttributeValueList":[{"S":"x"}]}})"),
      "Value and AttributeValueList cannot be used together for Attribute: a");
  EXPECT_EQ(problem(R"({"a":{"ComparisonOperator":"EQ"}})"),
            "Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a");
  EXPECT_EQ(problem(R"({"a":{"ComparisonOperator":"BETWEEN","Value":{"S":"x"}}})"),
            "Invalid number of argument(s) for the BETWEEN ComparisonOperator");
}

TEST(Legacy, ErrorsOfFilters) {
  const auto problem = [](std::string_view op, std::string_view list) {
    return message_of(filter(condition_json("a", op, list)));
  };
  const std::string prefix = "One or more parameter values were invalid: ";
  EXPECT_EQ(problem("EQ", ""), prefix + "Invalid number of argument(s) for the EQ ComparisonOperator");
  EXPECT_EQ(problem("NULL", R"({"S":"x"})"),
            prefix + "Invalid number of argument(s) for the NULL ComparisonOperator");
  EXPECT_EQ(problem("IN", R"({"S":"x"},{"N":"1"})"),
            prefix + "AttributeValues inside AttributeValueList must be of same type");
  EXPECT_EQ(problem("LT", R"({"SS":["a"]})"),
            prefix + "ComparisonOperator LT is not valid for SS AttributeValue type");
  EXPECT_EQ(
      problem("BETWEEN", R"({"S":"b"},{"S":"a"})"),
      "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound");
  EXPECT_EQ(problem("FOO", ""),
            "1 validation error detected: Value 'FOO' at 'scanFilter.a.member.comparisonOperator' failed to "
            "satisfy "
            "constraint: Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, "
            "NOT_NULL, NE, "
            "LE, BEGINS_WITH, GE, CONTAINS]");
  EXPECT_EQ(
      message_of(filter(R"({"a":{}})")),
      "1 validation error detected: Value null at 'scanFilter.a.member.comparisonOperator' failed to satisfy "
      "constraint: Member must not be null");
}

std::string after_updates(std::string_view json, std::string_view item = sample) {
  const Document document(json);
  const auto update = update_from_attribute_updates(document.value());
  if (!update) {
    return message_of(update);
  }
  const auto after = update->apply(make_item(item).view());
  return after ? to_json(after->view()) : message_of(after);
}

TEST(Legacy, AttributeUpdates) {
  EXPECT_EQ(after_updates(R"({"a":{"Value":{"S":"y"}},"b":{"Action":"PUT","Value":{"N":"1"}}})",
                          R"({"a":{"S":"x"}})"),
            R"({"a":{"S":"y"},"b":{"N":"1"}})");
  EXPECT_EQ(after_updates(R"({"a":{"Action":"DELETE"}})", R"({"a":{"S":"x"},"b":{"N":"1"}})"),
            R"({"b":{"N":"1"}})");
  EXPECT_EQ(
      after_updates(R"({"l":{"Action":"ADD","Value":{"L":[{"N":"7"}]}}})", R"({"l":{"L":[{"N":"1"}]}})"),
      R"({"l":{"L":[{"N":"1"},{"N":"7"}]}})");
  EXPECT_EQ(after_updates(R"({"s":{"Action":"DELETE","Value":{"SS":["a"]}}})", R"({"s":{"SS":["a","b"]}})"),
            R"({"s":{"SS":["b"]}})");
  EXPECT_EQ(after_updates(R"({"a":{"Action":"ADD","Value":{"N":"2"}}})"),
            "Type mismatch for attribute to update");
  EXPECT_EQ(after_updates("{}", R"({"a":{"S":"x"}})"), R"({"a":{"S":"x"}})");
}

TEST(Legacy, ErrorsOfAttributeUpdates) {
  const std::string prefix = "One or more parameter values were invalid: ";
  EXPECT_EQ(after_updates(R"({"a":{"Action":"PUT"}})"),
            prefix + "Only DELETE action is allowed when no attribute value is specified");
  EXPECT_EQ(after_updates(R"({"a":{"Action":"DELETE","Value":{"S":"x"}}})"),
            prefix + "DELETE action with value is not supported for the type S");
  EXPECT_EQ(after_updates(R"({"a":{"Action":"ADD","Value":{"M":{}}}})"),
            prefix + "ADD action is not supported for the type M");
  EXPECT_EQ(
      after_updates(R"({"a":{"Action":"FOO","Value":{"M":{}}}})"),
      "1 validation error detected: Value 'FOO' at 'attributeUpdates.a.member.action' failed to satisfy "
      "constraint: Member must satisfy enum value set: [ADD, PUT, DELETE]");
}

TEST(Legacy, KeyConditions) {
  const KeyNames key = {"pk", "sk", item::Type::string, item::Type::number};
  const auto read = [&key](std::string_view json) -> Result<KeyCondition> {
    const Document document(json);
    WAYBILL_TRY_ASSIGN(auto rules, key_rules_from_conditions(document.value()));
    return match_key(std::move(rules), key);
  };
  const std::string partition = R"("pk":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"k"}]})";
  const auto range =
      read("{" + partition +
           R"(,"sk":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"1"},{"N":"2"}]}})");
  ASSERT_TRUE(range.has_value()) << message_of(range);
  EXPECT_EQ(range->op, SortOperator::between);
  EXPECT_EQ(range->high_value().bytes(), "2");
  EXPECT_EQ(message_of(read("{" + partition +
                            R"(,"sk":{"ComparisonOperator":"NE","AttributeValueList":[{"N":"1"}]}})")),
            "Attempted conditional constraint is not an indexable operation");
  EXPECT_EQ(message_of(read(R"({"sk":{"ComparisonOperator":"EQ","AttributeValueList":[{"N":"1"}]}})")),
            "Query condition missed key schema element: pk");
  EXPECT_EQ(message_of(read(R"({"pk":{"ComparisonOperator":"LT","AttributeValueList":[{"S":"k"}]}})")),
            "Query key condition not supported");
  EXPECT_EQ(message_of(read("{}")), "Conditions can be of length 1 or 2 only");
}

}  // namespace
}  // namespace waybill::expression::testing
