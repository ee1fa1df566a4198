#include "api/dynamodb/fields.h"

#include <gtest/gtest.h>

namespace waybill::api::dynamodb {
namespace {

class FieldsTest : public testing::Test {
 protected:
  Fields fields(std::string_view text) {
    reading_ = Reading();
    return Fields(*parser_.parse_copy(text), reading_);
  }
  std::string problem() const { return reading_.failed() ? reading_.status().error().message : ""; }

  json::Parser parser_;
  Reading reading_;
};

TEST_F(FieldsTest, AbsentAndNullAreTheSame) {
  EXPECT_EQ(fields("{}").string("A"), std::nullopt);
  EXPECT_EQ(fields(R"({"A":null})").string("A"), std::nullopt);
  EXPECT_FALSE(reading_.failed());
}

TEST_F(FieldsTest, WrongScalars) {
  EXPECT_FALSE(fields(R"({"A":5})").string("A"));
  EXPECT_EQ(problem(), "NUMBER_VALUE cannot be converted to String");
  EXPECT_FALSE(fields(R"({"A":1.5})").string("A"));
  EXPECT_EQ(problem(), "DECIMAL_VALUE cannot be converted to String");
  EXPECT_FALSE(fields(R"({"A":false})").string("A"));
  EXPECT_EQ(problem(), "FALSE_VALUE cannot be converted to String");
  EXPECT_FALSE(fields(R"({"A":{}})").integer("A"));
  EXPECT_EQ(problem(), "Start of structure or map found where not expected");
  EXPECT_FALSE(fields(R"({"A":[]})").long_integer("A"));
  EXPECT_EQ(problem(), "Unrecognized collection type class java.lang.Long");
  EXPECT_FALSE(fields(R"({"A":"5"})").integer("A"));
  EXPECT_EQ(problem(), "STRING_VALUE cannot be converted to Integer");
  EXPECT_FALSE(fields(R"({"A":"true"})").boolean("A"));
  EXPECT_EQ(problem(), "Unexpected token received from parser");
}

TEST_F(FieldsTest, WrongCollections) {
  EXPECT_FALSE(fields(R"({"A":[]})").map("A", "AttributeValue"));
  EXPECT_EQ(problem(),
            "Unrecognized collection type java.util.Map<java.lang.String, "
            "com.amazonaws.dynamodb.v20120810.AttributeValue>");
  EXPECT_FALSE(fields(R"({"A":"x"})").structure("A", "Projection"));
  EXPECT_EQ(problem(), "Unexpected field type");
  fields(R"({"A":[5]})").structures("A", "Tag");
  EXPECT_EQ(problem(), "Unexpected value type in payload");
  EXPECT_FALSE(fields(R"({"A":{}})").list("A"));
  EXPECT_EQ(problem(), "Start of structure or map found where not expected");
}

TEST_F(FieldsTest, FractionsAreDroppedAndHugeNumbersClamped) {
  EXPECT_EQ(fields(R"({"A":1.5})").integer("A"), 1);
  EXPECT_EQ(fields(R"({"A":-1.5})").integer("A"), -1);
  EXPECT_GT(fields(R"({"A":1e300})").integer("A"), int64_t{1} << 62);
  EXPECT_FALSE(reading_.failed());
}

TEST_F(FieldsTest, OfOneNameTheLastCounts) {
  const auto names = fields(R"({"A":{"#a":"x","#b":"y","#a":"z"}})").string_map("A");
  ASSERT_TRUE(names);
  EXPECT_EQ(names->find("#a")->string(), "z");
  EXPECT_EQ(names->find("#b")->string(), "y");
  EXPECT_FALSE(reading_.failed());
  EXPECT_EQ(fields(R"({"A":"x","B":"y","A":"z"})").string("A"), "z");
}

TEST_F(FieldsTest, FindsEveryFieldOfManyAndNoOther) {
  for (const int count : {0, 1, 3, 40, 200}) {
    std::string text = "{";
    for (int i = 0; i < count; ++i) {
      const auto number = std::to_string(i);
      text.append(i > 0 ? "," : "").append("\"Name").append(number).append("\":").append(number);
    }
    const auto many = fields(text + "}");
    for (int i = 0; i < 210; ++i) {
      const auto value = many.integer("Name" + std::to_string(i));
      EXPECT_EQ(value, i < count ? std::optional<int64_t>(i) : std::nullopt);
    }
    EXPECT_FALSE(many.has(""));
  }
}

TEST_F(FieldsTest, TellsWrongTypesInAMapOfStrings) {
  fields(R"({"A":{"#a":"x","#b":5}})").string_map("A");
  EXPECT_EQ(problem(), "NUMBER_VALUE cannot be converted to String");
}

TEST_F(FieldsTest, TheFirstErrorIsKept) {
  const auto both = fields(R"({"A":5,"B":true})");
  both.string("A");
  both.string("B");
  EXPECT_EQ(problem(), "NUMBER_VALUE cannot be converted to String");
}

TEST(Constraints, JoinsWhatIsWrong) {
  Constraints constraints;
  constraints.not_null("key", false);
  EXPECT_EQ(
      constraints.status().error().message,
      "1 validation error detected: Value null at 'key' failed to satisfy constraint: Member must not be "
      "null");
  constraints.one_of("select", "x", {"A", "B"});
  constraints.value_min("limit", 0, 1);
  EXPECT_EQ(
      constraints.status().error().message,
      "3 validation errors detected: Value null at 'key' failed to satisfy constraint: Member must not be "
      "null; Value 'x' at 'select' failed to satisfy constraint: Member must satisfy enum value set: [A, "
      "B]; Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or "
      "equal to 1");
}

TEST(Constraints, TellsTenAtMost) {
  Constraints constraints;
  for (int i = 0; i < 12; ++i) {
    constraints.not_null("x", false);
  }
  EXPECT_TRUE(constraints.status().error().message.starts_with("10 validation errors"));
}

TEST(Constraints, LengthsAreInUtf16Units) {
  Constraints constraints;
  constraints.length_max("k", "größe", 5);
  EXPECT_TRUE(constraints.empty());
  constraints.length_max("k", "\xF0\x9F\x9A\x9A", 1);
  EXPECT_FALSE(constraints.empty());
}

TEST(TableName, MayBeAnArn) {
  EXPECT_EQ(table_name_of("jobs"), "jobs");
  EXPECT_EQ(table_name_of("arn:aws:dynamodb:us-east-1:000000000000:table/jobs"), "jobs");
  for (const std::string_view other :
       {"arn:aws:dynamodb:us-east-1:000000000000:table/jobs/index/x", "arn:aws:dynamodb:us-east-1:0",
        "arn:aws:s3:::jobs", "arn:aws:dynamodb:us-east-1:0:table/"}) {
    EXPECT_EQ(table_name_of(other), other);
  }
}

TEST(TableName, OfAnExistingTable) {
  EXPECT_EQ(*existing_table_name("jobs"), "jobs");
  EXPECT_EQ(existing_table_name("a*").error().message,
            "TableName must be at least 3 characters long and at most 255 characters long");
  EXPECT_FALSE(existing_table_name("a b c"));
  EXPECT_FALSE(existing_table_name(std::nullopt));
}

}  // namespace
}  // namespace waybill::api::dynamodb
