#include "contract/formula.h"

#include <gtest/gtest.h>

#include "contract/duration.h"

namespace waybill::contract {
namespace {

using Kind = Formula::Node::Kind;

// As brackets, so that the order of the operations shows.
std::string shown(const Formula::Node& node) {
  if (node.kind == Kind::operation) {
    return "(" + shown(node.operands[0]) + node.text + shown(node.operands[1]) + ")";
  }
  if (node.kind == Kind::duration) {
    return std::to_string(node.seconds) + "s";
  }
  return node.text;
}

std::string parsed(std::string_view text) {
  const auto formula = Formula::parse(text, Formula::Quoted::no);
  return formula ? shown(formula->root()) : "error: " + formula.error().message;
}

TEST(Formula, ReadsSumsAndProductsInTheirOrder) {
  EXPECT_EQ(parsed("attempts + 1"), "(attempts+1)");
  EXPECT_EQ(parsed("width / height"), "(width/height)");
  EXPECT_EQ(parsed("a + b * c - d"), "((a+(b*c))-d)");
  EXPECT_EQ(parsed("(a + b) * 1.5"), "((a+b)*1.5)");
  EXPECT_EQ(parsed("-5"), "-5");
  EXPECT_EQ(parsed("a - -1.5"), "(a--1.5)");
  EXPECT_EQ(parsed("createdAt + 90d"), "(createdAt+7776000s)");
  EXPECT_EQ(parsed("error.retryCount"), "error.retryCount");
}

TEST(Formula, TextWithBracesOrInQuotesIsATemplate) {
  const auto url = Formula::parse("https://{cdn}/{s3Key}", Formula::Quoted::no);
  ASSERT_TRUE(url);
  EXPECT_EQ(url->root().kind, Kind::text);
  EXPECT_EQ(url->fields(), (std::vector<std::string>{"cdn", "s3Key"}));
  const auto word = Formula::parse("pending", Formula::Quoted::yes);
  ASSERT_TRUE(word);
  EXPECT_EQ(word->root().kind, Kind::text);
}

TEST(Formula, TellsTheFieldsItNeeds) {
  const auto formula = Formula::parse("a * (b + a) / 2", Formula::Quoted::no);
  ASSERT_TRUE(formula);
  EXPECT_EQ(formula->fields(), (std::vector<std::string>{"a", "b"}));
}

TEST(Formula, SaysWhatIsWrong) {
  EXPECT_EQ(parsed("a +"), "error: \"a +\" lacks a field or a number at its end");
  EXPECT_EQ(parsed("* a"), "error: \"* a\" lacks a field or a number before \"* a\"");
  EXPECT_EQ(parsed("-a"), "error: \"-a\": a minus without something before it stands before a number");
  EXPECT_EQ(parsed("(a"), "error: \"(a\" has a ( without a )");
  EXPECT_EQ(parsed("a b"), "error: \"a b\" is not understood from \"b\" on");
  EXPECT_EQ(parsed(std::string(100, '(')), "error: \"" + std::string(100, '(') + "\" has too many brackets");
}

TEST(Duration, IsANumberAndAUnit) {
  EXPECT_EQ(parse_duration("30s"), 30);
  EXPECT_EQ(parse_duration("2m"), 120);
  EXPECT_EQ(parse_duration("72h"), 259'200);
  EXPECT_EQ(parse_duration("90d"), 7'776'000);
  for (const char* text :
       {"", "s", "30", "-1s", "1.5h", "30 s", "1y", "99999999999999999999d", "40000000d"}) {
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
  }
}

TEST(Duration, IsShownInItsLargestUnit) {
  EXPECT_EQ(duration_text(30), "30s");
  EXPECT_EQ(duration_text(7'776'000), "90d");
  EXPECT_EQ(duration_text(5'400), "90m");
  EXPECT_EQ(duration_text(0), "0s");
}

}  // namespace
}  // namespace waybill::contract
