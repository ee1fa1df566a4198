// Every operation of every service says what it needs of a policy, and a policy without grants meets none of
// it.
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "access/policy.h"
#include "api/autoscaling/operations.h"
#include "api/dynamodb/operations.h"
#include "api/sqs/operations.h"
#include "api/streams/operations.h"

namespace waybill::api {
namespace {

template <typename Operations>
void add_allowed(std::set<std::string>& names, const Operations& operations, const access::Policy& policy) {
  for (const auto& operation : operations) {
    if (policy.may(operation.access.need())) {
      names.emplace(operation.name);
    }
  }
}

std::set<std::string> allowed_by(const access::Policy& policy) {
  std::set<std::string> names;
  add_allowed(names, dynamodb::operations().operations, policy);
  add_allowed(names, streams::operations().operations, policy);
  add_allowed(names, autoscaling::operations().operations, policy);
  add_allowed(names, sqs::operations(), policy);
  return names;
}

access::Policy policy_of(access::Grant grant) {
  return access::Policy("", {std::move(grant)});
}

TEST(AccessTest, A10_NothingIsAllowedWithoutAGrant) {
  const access::Policy nothing("", {});
  EXPECT_EQ(allowed_by(nothing), (std::set<std::string>{"DescribeEndpoints", "DescribeLimits"}));
}

TEST(AccessTest, A10_VerbsOpenTheirOperationsAlone) {
  access::Grant reads;
  reads.tables = {{"a", false}};
  reads.may_read = true;
  const auto by_read = allowed_by(policy_of(reads));
  for (const auto* const name : {"GetItem", "Query", "GetRecords", "ReceiveMessage", "DescribeTable"}) {
    EXPECT_TRUE(by_read.contains(name)) << name;
  }
  for (const auto* const name : {"PutItem", "DeleteTable", "SendMessage", "PurgeQueue", "CreateBackup",
                                 "ExportTableToPointInTime", "ImportTable", "RegisterScalableTarget"}) {
    EXPECT_FALSE(by_read.contains(name)) << name;
  }
}

TEST(AccessTest, A10_ExportsAndImportsAreForThoseWhoMayDoEverything) {
  access::Grant all;
  all.tables = {{"a", true}};
  all.may_read = all.may_write = all.may_administer = true;
  EXPECT_FALSE(allowed_by(policy_of(all)).contains("ExportTableToPointInTime"));
  all.tables = {{"", true}};
  EXPECT_TRUE(allowed_by(policy_of(all)).contains("ExportTableToPointInTime"));
  all.limits = std::make_shared<const access::Limits>();
  EXPECT_FALSE(allowed_by(policy_of(all)).contains("ListExports"));
}

}  // namespace
}  // namespace waybill::api
