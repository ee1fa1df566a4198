#include "queue/policy.h"

#include <gtest/gtest.h>

namespace waybill::queue {
namespace {

const Permission one{"one", {"111122223333"}, {"SendMessage"}};
const Permission two{"two", {"1", "2"}, {"ReceiveMessage", "DeleteMessage"}};

TEST(Policy, GrowsAndShrinksByStatements) {
  const auto first = *add_permission("", "arn:q", one);
  EXPECT_EQ(first,
            R"({"Version":"2008-10-17","Id":"arn:q/SQSDefaultPolicy","Statement":[{"Sid":"one","Effect":)"
            R"("Allow","Principal":{"AWS":"arn:aws:iam::111122223333:root"},"Action":"SQS:SendMessage",)"
            R"("Resource":"arn:q"}]})");
  const auto both = *add_permission(first, "arn:q", two);
  EXPECT_NE(both.find(R"("Action":["SQS:ReceiveMessage","SQS:DeleteMessage"])"), std::string::npos);
  EXPECT_EQ(*remove_permission(both, "two"), first);
  EXPECT_EQ(*remove_permission(first, "one"), "");
}

TEST(Policy, LabelsAreThereOnce) {
  const auto policy = *add_permission("", "arn:q", one);
  EXPECT_EQ(add_permission(policy, "arn:q", one).error().kind, ErrorKind::invalid);
  EXPECT_EQ(remove_permission(policy, "two").error().kind, ErrorKind::invalid);
  EXPECT_EQ(remove_permission("", "two").error().kind, ErrorKind::invalid);
}

TEST(Policy, KeepsWhatItDoesNotKnow) {
  const auto policy = *add_permission(
      R"({"Statement":{"Sid":"s","Condition":{"a":[1,-2.5,true,null,"t"]}},"Other":{}})", "arn:q", one);
  EXPECT_TRUE(policy.starts_with(
      R"({"Other":{},"Statement":[{"Sid":"s","Condition":{"a":[1,-2.5,true,null,"t"]}},{"Sid":"one")"))
      << policy;
}

TEST(Policy, ThatIsNoneIsRefused) {
  EXPECT_EQ(add_permission("x", "arn:q", one).error().kind, ErrorKind::attribute_invalid);
  EXPECT_EQ(remove_permission("[]", "one").error().kind, ErrorKind::attribute_invalid);
}

}  // namespace
}  // namespace waybill::queue
