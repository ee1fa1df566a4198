#include "api/sqs/form.h"

#include <gtest/gtest.h>

namespace waybill::api::sqs {
namespace {

TEST(SqsForm, BecomesTheJsonOfTheSameRequest) {
  const auto form =
      *read_form("Action=CreateQueue",
                 "QueueName=a+b%2B%C3%A9&Attribute.2.Name=B&Attribute.2.Value=2&Attribute.1.Name="
                 "A&Attribute.1.Value=1&Tag.1.Key=k&Tag.1.Value=v");
  EXPECT_EQ(form.action, "CreateQueue");
  EXPECT_EQ(
      form.json,
      R"({"Action":"CreateQueue","Attributes":{"A":"1","B":"2"},"QueueName":"a b+é","Tags":{"k":"v"}})");
}

TEST(SqsForm, ListsAreInTheOrderOfTheirNumbers) {
  const auto form = *read_form("", "AttributeName.10=c&AttributeName.9=b&AttributeName.1=a");
  EXPECT_EQ(form.json, R"({"AttributeNames":["a","b","c"]})");
  EXPECT_EQ(read_form("", "AttributeName=All")->json, R"({"AttributeNames":["All"]})");
}

TEST(SqsForm, EntriesHaveAttributesOfTheirOwn) {
  const auto form = *read_form(
      "",
      "SendMessageBatchRequestEntry.1.Id=x&SendMessageBatchRequestEntry.1.DelaySeconds=5&"
      "SendMessageBatchRequestEntry.1.MessageAttribute.1.Name=n&SendMessageBatchRequestEntry.1."
      "MessageAttribute.1.Value.DataType=String&SendMessageBatchRequestEntry.1.MessageAttribute.1.Value."
      "StringValue=v&SendMessageBatchRequestEntry.2.Id=y");
  EXPECT_EQ(form.json,
            R"({"Entries":[{"DelaySeconds":5,"Id":"x","MessageAttributes":{"n":{"DataType":"String",)"
            R"("StringValue":"v"}}},{"Id":"y"}]})");
}

TEST(SqsForm, WhatIsNoNumberStaysText) {
  EXPECT_EQ(read_form("WaitTimeSeconds=5", "VisibilityTimeout=five")->json,
            R"({"VisibilityTimeout":"five","WaitTimeSeconds":5})");
}

TEST(SqsForm, HasBounds) {
  std::string many;
  for (int i = 0; i < 2001; ++i) {
    many += "a=1&";
  }
  EXPECT_EQ(read_form("", many).error().kind, ErrorKind::malformed);
  EXPECT_EQ(read_form("", "a.a.a.a.a.a.a.a.a=1").error().kind, ErrorKind::malformed);
  EXPECT_TRUE(read_form("", "....=1"));
  EXPECT_EQ(read_form("", "")->json, "{}");
}

}  // namespace
}  // namespace waybill::api::sqs
