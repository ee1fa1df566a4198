#include "api/dynamodb/item_request.h"

#include <gtest/gtest.h>

namespace waybill::api::dynamodb {
namespace {

TEST(EnvelopeTest, ComesOnceAndConstraintsKeepIt) {
  EXPECT_EQ(in_envelope(invalid("x")).message, "1 validation error detected: x");
  EXPECT_EQ(in_envelope(in_envelope(invalid("x"))).message, "1 validation error detected: x");
  EXPECT_EQ(without_envelope(in_envelope(invalid("x"))).message, "x");
  const auto constraint = in_envelope(invalid("Value null at 'key' failed"));
  EXPECT_EQ(without_envelope(constraint).message, constraint.message);
}

TEST(MixedTest, NamesTheParametersOfBothGenerations) {
  EXPECT_TRUE(check_not_mixed({{"Expected", true}}, {{"ConditionExpression", false}}));
  EXPECT_EQ(check_not_mixed({{"Expected", true}, {"AttributeUpdates", false}, {"ConditionalOperator", true}},
                            {{"ConditionExpression", true}})
                .error()
                .message,
            "Can not use both expression and non-expression parameters in the same request: Non-expression "
            "parameters: {Expected, ConditionalOperator} Expression parameters: {ConditionExpression}");
}

TEST(ConditionalOperatorTest, NeedsTwoConditions) {
  json::Parser parser;
  EXPECT_TRUE(check_conditional_operator(std::nullopt, std::nullopt));
  EXPECT_EQ(check_conditional_operator("AND", std::nullopt).error().message,
            "ConditionalOperator cannot be used without Filter or Expected");
  EXPECT_EQ(check_conditional_operator("AND", *parser.parse_copy(R"({"a":{}})")).error().message,
            "ConditionalOperator can only be used when Filter or Expected has two or more elements");
  EXPECT_TRUE(check_conditional_operator("AND", *parser.parse_copy(R"({"a":{},"b":{}})")));
}

TEST(ItemFieldTest, TellsWrongTypesAtOnceAndWrongValuesLater) {
  json::Parser parser;
  Reading reading;
  ItemField absent(std::nullopt, reading);
  EXPECT_FALSE(absent.present());
  ItemField wrong_value(*parser.parse_copy(R"({"a":{"N":"x"}})"), reading);
  EXPECT_TRUE(reading.status());
  EXPECT_EQ(std::move(wrong_value).take().error().kind, ErrorKind::invalid);
  ItemField wrong_type(*parser.parse_copy(R"({"a":{"S":5}})"), reading);
  EXPECT_EQ(reading.status().error().kind, ErrorKind::malformed);
}

TEST(ProjectionFieldsTest, NamesMustDiffer) {
  ProjectionFields fields;
  fields.attributes = {"a", "b", "a"};
  EXPECT_EQ(parse_only_projection(fields, std::nullopt).error().message,
            "One or more parameter values were invalid: Duplicate value in attribute name: a");
  fields.attributes = {"a", "b"};
  EXPECT_TRUE(*parse_only_projection(fields, std::nullopt));
  EXPECT_FALSE(*parse_only_projection({}, std::nullopt));
}

}  // namespace
}  // namespace waybill::api::dynamodb
