#include "expression/key_condition.h"

#include "expression/testing.h"

namespace waybill::expression::testing {
namespace {

constexpr std::string_view values =
    R"({":v":{"S":"x"},":n":{"N":"3"},":m":{"N":"7"},":l":{"L":[]},":w":{"S":"a"}})";

const KeyNames both = {"pk", "sk", item::Type::string, item::Type::number};
const KeyNames text_sort = {"pk", "sk", item::Type::string, item::Type::string};
const KeyNames partition_only = {"pk", std::nullopt, item::Type::string, std::nullopt};

Result<KeyCondition> parse(std::string_view text, const KeyNames& key = both) {
  Request request(values);
  WAYBILL_TRY_ASSIGN(auto rules, parse_key_rules(text, request.placeholders));
  return match_key(std::move(rules), key);
}

std::string problem(std::string_view text, const KeyNames& key = both) {
  return message_of(parse(text, key));
}

TEST(KeyCondition, ReadsPartitionAndSort) {
  const auto partition = parse("pk = :v");
  ASSERT_TRUE(partition.has_value()) << message_of(partition);
  EXPECT_EQ(partition->partition_value().bytes(), "x");
  EXPECT_EQ(partition->op, SortOperator::none);
  const auto range = parse("sk BETWEEN :n AND :m AND pk = :v");
  ASSERT_TRUE(range.has_value()) << message_of(range);
  EXPECT_EQ(range->op, SortOperator::between);
  EXPECT_EQ(range->low_value().bytes(), "3");
  EXPECT_EQ(range->high_value().bytes(), "7");
  EXPECT_EQ(parse("pk = :v AND begins_with(sk, :w)", text_sort)->op, SortOperator::begins_with);
}

TEST(KeyCondition, TurnsOperandsAround) {
  const auto turned = parse(":v = pk AND :n < sk");
  ASSERT_TRUE(turned.has_value()) << message_of(turned);
  EXPECT_EQ(turned->op, SortOperator::greater);
  EXPECT_EQ(turned->low_value().bytes(), "3");
  EXPECT_EQ(parse("pk = :v AND :n >= sk")->op, SortOperator::less_or_equal);
  EXPECT_EQ(parse("(pk = :v) AND (sk <= :n)")->op, SortOperator::less_or_equal);
  EXPECT_EQ(parse("(pk = :v AND sk = :n)")->op, SortOperator::equal);
}

TEST(KeyCondition, RefusesWhatKeysCannotDo) {
  EXPECT_EQ(problem("pk = :v OR sk = :n"), "Invalid operator used in KeyConditionExpression: OR");
  EXPECT_EQ(problem("NOT pk = :v"), "Invalid operator used in KeyConditionExpression: NOT");
  EXPECT_EQ(problem("pk = :v AND sk IN (:n)"), "Invalid operator used in KeyConditionExpression: IN");
  EXPECT_EQ(problem("pk = :v AND sk <> :n"), "Invalid operator used in KeyConditionExpression: <>");
  EXPECT_EQ(problem("attribute_exists(pk)"),
            "Invalid operator used in KeyConditionExpression: attribute_exists");
  EXPECT_EQ(problem("pk = :v AND contains(sk, :n)"),
            "Invalid operator used in KeyConditionExpression: contains");
  EXPECT_EQ(problem("pk = :v AND size(sk) = :n"), "KeyConditionExpressions cannot contain nested operations");
  EXPECT_EQ(
      problem("pk = :v AND sk.a = :n"),
      "Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes");
  EXPECT_EQ(
      problem("pk = :v AND pk = :w"),
      "Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key");
  EXPECT_EQ(problem("pk = :v AND sk = a"),
            "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition");
  EXPECT_EQ(problem("pk = :v AND :n = :m"),
            "Invalid condition in KeyConditionExpression: No key attribute specified");
  EXPECT_EQ(problem("pk = :v AND :n BETWEEN sk AND :m"),
            "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as "
            "its first "
            "operand");
  EXPECT_EQ(problem("pk = :v AND begins_with(:v, sk)"),
            "Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute "
            "as its first "
            "operand");
}

TEST(KeyCondition, HoldsItAgainstTheSchema) {
  EXPECT_EQ(problem("sk = :n"), "Query condition missed key schema element: pk");
  EXPECT_EQ(problem("pk = :v AND a = :n"), "Query condition missed key schema element: sk");
  EXPECT_EQ(problem("pk = :v AND a = :n AND b = :n"), "Conditions can be of length 1 or 2 only");
  EXPECT_EQ(problem("pk < :v"), "Query key condition not supported");
  EXPECT_EQ(problem("pk = :v AND sk = :n", partition_only), "Query key condition not supported");
  const std::string type =
      "One or more parameter values were invalid: Condition parameter type does not match schema type";
  EXPECT_EQ(problem("pk = :n"), type);
  EXPECT_EQ(problem("pk = :v AND sk = :v"), type);
  EXPECT_EQ(problem("pk = :l"), type);
  EXPECT_EQ(problem("pk = :v AND sk = :v", {"pk", "sk", std::nullopt, std::nullopt}), "");
}

TEST(KeyCondition, SharesTheGrammarOfConditions) {
  const std::string prefix = "Invalid KeyConditionExpression: ";
  EXPECT_EQ(problem(""), prefix + "The expression can not be empty;");
  EXPECT_EQ(problem("pk"), prefix + R"(Syntax error; token: "<EOF>", near: "pk")");
  EXPECT_EQ(problem("((pk = :v)) AND sk = :n"), prefix + "The expression has redundant parentheses;");
  EXPECT_EQ(problem("status = :v"),
            prefix + "Attribute name is a reserved keyword; reserved keyword: status");
  EXPECT_EQ(
      problem("pk = :v AND sk BETWEEN :m AND :n"),
      prefix +
          "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound "
          "operand: AttributeValue: {N:7}, upper bound operand: AttributeValue: {N:3}");
}

}  // namespace
}  // namespace waybill::expression::testing
