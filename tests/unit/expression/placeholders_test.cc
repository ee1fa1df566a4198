#include "expression/placeholders.h"

#include "expression/testing.h"

namespace waybill::expression::testing {
namespace {

std::string parse_error(std::string_view names, std::string_view values) {
  const Document name_map(names.empty() ? "null" : names);
  const Document value_map(values.empty() ? "null" : values);
  PlaceholderSource source;
  if (!names.empty()) {
    source.names = name_map.value();
  }
  if (!values.empty()) {
    source.values = value_map.value();
  }
  return message_of(Placeholders::parse(source));
}

TEST(Placeholders, RefusesEmptyMaps) {
  EXPECT_EQ(parse_error("{}", ""), "ExpressionAttributeNames must not be empty");
  EXPECT_EQ(parse_error("", "{}"), "ExpressionAttributeValues must not be empty");
}

TEST(Placeholders, RefusesBadKeys) {
  EXPECT_EQ(parse_error(R"({"n":"a"})", ""),
            R"(ExpressionAttributeNames contains invalid key: Syntax error; key: "n")");
  EXPECT_EQ(parse_error(R"({"#":"a"})", ""),
            R"(ExpressionAttributeNames contains invalid key: Syntax error; key: "#")");
  EXPECT_EQ(parse_error(R"({"#a-b":"a"})", ""),
            R"(ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b")");
  EXPECT_EQ(parse_error("", R"({"v":{"S":"a"}})"),
            R"(ExpressionAttributeValues contains invalid key: Syntax error; key: "v")");
  EXPECT_EQ(parse_error(R"({"#1_a":"a"})", R"({":0":{"S":"a"}})"), "");
}

TEST(Placeholders, NamesTheKeyOfAnInvalidValue) {
  EXPECT_EQ(parse_error("", R"({":v":{"N":"abc"}})"),
            "ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a "
            "numeric value: "
            "abc for key :v");
  EXPECT_EQ(parse_error("", R"({":v":{"SS":[]}})"),
            "ExpressionAttributeValues contains invalid value: One or more parameter values were invalid: An "
            "string "
            "set  may not be empty for key :v");
}

TEST(Placeholders, WantExpressions) {
  const Document map(R"({"#n":"a"})");
  PlaceholderSource source;
  source.names = map.value();
  source.names_allowed = false;
  EXPECT_EQ(message_of(Placeholders::parse(source)),
            "ExpressionAttributeNames can only be specified when using expressions");
  PlaceholderSource values;
  values.values = map.value();
  values.values_allowed = false;
  values.values_refused_because = "FilterExpression is null";
  EXPECT_EQ(
      message_of(Placeholders::parse(values)),
      "ExpressionAttributeValues can only be specified when using expressions: FilterExpression is null");
}

TEST(Placeholders, ReportsUnusedOnesNamesFirst) {
  Request request(R"({":b":{"S":"x"},":a":{"S":"x"}})", R"({"#z":"q"})");
  EXPECT_EQ(message_of(request.placeholders.check_all_used()),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#z}");
  EXPECT_EQ(request.placeholders.use_name("#z"), "q");
  EXPECT_EQ(message_of(request.placeholders.check_all_used()),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:a, :b}");
  EXPECT_TRUE(request.placeholders.use_value(":a").has_value());
  EXPECT_TRUE(request.placeholders.use_value(":b").has_value());
  EXPECT_FALSE(request.placeholders.use_value(":c").has_value());
  EXPECT_TRUE(request.placeholders.check_all_used().has_value());
}

TEST(Placeholders, TakesTheLastOfEqualKeys) {
  Request request(R"({":a":{"S":"first"},":b":{"S":"x"},":a":{"S":"last"}})");
  EXPECT_EQ(request.placeholders.use_value(":a")->bytes(), "last");
}

TEST(Placeholders, FindsEachOfMany) {
  std::string names = "{";
  for (int i = 0; i < 300; ++i) {
    names += (i == 0 ? "" : ",") + ("\"#n" + std::to_string(i) + "\":\"v" + std::to_string(i) + "\"");
  }
  Request request("", names + "}");
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(request.placeholders.use_name("#n" + std::to_string(i)), "v" + std::to_string(i));
  }
  EXPECT_TRUE(request.placeholders.check_all_used().has_value());
}

}  // namespace
}  // namespace waybill::expression::testing
