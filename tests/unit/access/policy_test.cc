#include "access/policy.h"

#include <gtest/gtest.h>

#include "access/policy_reader.h"

namespace waybill::access {
namespace {

Result<PolicyPtr> read(std::string_view text, std::string_view tenant = "prj_001") {
  json::Parser parser;
  return read_policy(*parser.parse_copy(text), tenant);
}

const char* const project = R"([
  {"tables":["asset_creator"],"contracts":["asset-creator"],"verbs":["read","write"],
   "partition_keys":["PROJECT#{tenant}"]},
  {"tables":["styles","photo*"],"verbs":["read"]},
  {"tables":["{tenant}-*"],"queues":["{tenant}-*"],"verbs":["read","write","admin"]}])";

TEST(PolicyTest, WhatNoGrantAllowsIsDenied) {
  const auto policy = *read(project);
  EXPECT_EQ(policy->tenant(), "prj_001");
  EXPECT_FALSE(policy->of_table(Verb::read, "asset_creator").is_nothing());
  EXPECT_FALSE(policy->of_table(Verb::read, "asset_creator").is_everything());
  EXPECT_TRUE(policy->of_table(Verb::admin, "asset_creator").is_nothing());
  EXPECT_TRUE(policy->of_table(Verb::read, "photos").is_everything());
  EXPECT_TRUE(policy->of_table(Verb::write, "photos").is_nothing());
  EXPECT_TRUE(policy->of_table(Verb::read, "asset_creator2").is_nothing());
  EXPECT_TRUE(policy->of_table(Verb::admin, "prj_001-a").is_everything());
  EXPECT_TRUE(policy->of_table(Verb::read, "prj_0010").is_nothing());
  EXPECT_TRUE(policy->knows_table("styles"));
  EXPECT_FALSE(policy->knows_table("secrets"));
}

TEST(PolicyTest, ContractsAndQueuesAreByName) {
  const auto policy = *read(project);
  EXPECT_TRUE(policy->may(Verb::write, "asset-creator"));
  EXPECT_FALSE(policy->may(Verb::admin, "asset-creator"));
  EXPECT_FALSE(policy->may(Verb::read, "orchestrator"));
  EXPECT_FALSE(policy->of_contract(Verb::read, "asset-creator").is_everything());
  EXPECT_TRUE(policy->may_use_queue(Verb::admin, "prj_001-work"));
  EXPECT_FALSE(policy->may_use_queue(Verb::read, "prj_002-work"));
  EXPECT_FALSE(policy->may_use_all_queues(Verb::write));
}

TEST(PolicyTest, TheSystemsTablesAreInNobodysReach) {
  const auto policy = *read(R"({"tables":["*"],"verbs":["read","write","admin"]})");
  EXPECT_TRUE(policy->of_table(Verb::read, "anything").is_everything());
  EXPECT_TRUE(policy->of_table(Verb::read, "waybill:journal").is_nothing());
  EXPECT_FALSE(policy->knows_table("waybill:journal"));
}

TEST(PolicyTest, NeedsAreMetByOneGrant) {
  const auto policy = *read(project);
  for (const Need need :
       {Need::nothing, Need::something, Need::read, Need::write, Need::read_or_write, Need::admin}) {
    EXPECT_TRUE(policy->may(need));
  }
  EXPECT_FALSE(policy->may(Need::everything));
  EXPECT_TRUE((*read(R"({"tables":["*"],"verbs":["read","write","admin"]})"))->may(Need::everything));
  EXPECT_FALSE((*read(R"({"tables":["*"],"verbs":["read","write"]})"))->may(Need::everything));
  EXPECT_FALSE(
      (*read(R"({"tables":["*"],"verbs":["read","write"],"partition_keys":["a"]})"))->may(Need::everything));
  const auto nothing = *read("[]");
  EXPECT_TRUE(nothing->may(Need::nothing));
  EXPECT_FALSE(nothing->may(Need::something));
}

TEST(PolicyTest, TheTenantIsPutIn) {
  const auto reach = (*read(project))->of_table(Verb::read, "asset_creator");
  EXPECT_EQ(reach.by_key(item::Type::string, "PROJECT#prj_001"), ByKey::inside);
  EXPECT_EQ(reach.by_key(item::Type::string, "PROJECT#{tenant}"), ByKey::outside);
  EXPECT_FALSE(read(project, ""));
  const auto twice =
      *read(R"({"tables":["a"],"verbs":["read"],"partition_keys":["{tenant}#{tenant}"]})", "{x}");
  EXPECT_EQ(twice->of_table(Verb::read, "a").by_key(item::Type::string, "{x}#{x}"), ByKey::inside);
}

TEST(PolicyTest, ATenantCannotBeAPattern) {
  EXPECT_TRUE(is_tenant("prj_001"));
  for (const auto* const tenant : {"", "*", "a*", "a/b", "{tenant}", "a b", "a#b"}) {
    EXPECT_FALSE(is_tenant(tenant)) << tenant;
  }
  EXPECT_FALSE(is_tenant(std::string(129, 'a')));
}

// A10: one tenant's prefix is not another's.
TEST(PolicyTest, BucketsAndTheKeysInThem) {
  const auto policy = *read(
      R"([{"buckets":["assets"],"verbs":["read","write"],"object_keys":["{tenant}/*","shared"]},
          {"buckets":["{tenant}-*"],"verbs":["admin"]}])");
  EXPECT_TRUE(policy->may_use_object(Verb::read, "assets", "prj_001/a"));
  EXPECT_TRUE(policy->may_use_object(Verb::write, "assets", "shared"));
  EXPECT_FALSE(policy->may_use_object(Verb::read, "assets", "prj_0010/a"));
  EXPECT_FALSE(policy->may_use_object(Verb::read, "assets", "shared/a"));
  EXPECT_FALSE(policy->may_use_object(Verb::read, "others", "prj_001/a"));
  EXPECT_FALSE(policy->may_use_object(Verb::read, "prj_001-own", "a"));
  EXPECT_TRUE(policy->may_list_objects("assets", "prj_001/"));
  EXPECT_TRUE(policy->may_list_objects("assets", "prj_001/a"));
  EXPECT_FALSE(policy->may_list_objects("assets", "prj_001"));
  EXPECT_FALSE(policy->may_list_objects("assets", ""));
  EXPECT_FALSE(policy->may_list_objects("assets", "shared"));
  EXPECT_TRUE(policy->may_administer_bucket("prj_001-own"));
  EXPECT_FALSE(policy->may_administer_bucket("assets"));
  EXPECT_TRUE(policy->knows_bucket("assets"));
  EXPECT_FALSE(policy->knows_bucket("others"));
}

TEST(PolicyTest, SaysWhatToWriteInstead) {
  const std::pair<const char*, const char*> faults[] = {
      {R"("x")", "write each grant as"},
      {R"({})", "\"verbs\" is missing"},
      {R"({"verbs":["read"]})", "nothing is named"},
      {R"({"tables":"a","verbs":["read"]})", "\"tables\" must be a list"},
      {R"({"tables":[],"verbs":["read"]})", "\"tables\" must be a list"},
      {R"({"tables":[1],"verbs":["read"]})", "none of them empty"},
      {R"({"tables":[""],"verbs":["read"]})", "none of them empty"},
      {R"({"tables":["*a"],"verbs":["read"]})", "not its end"},
      {R"({"tables":["waybill:journal"],"verbs":["read"]})", "cannot be a name"},
      {R"({"tables":["a"],"verbs":["list"]})", "\"verbs\" has \"list\""},
      {R"({"tables":["a"],"verbs":["read"],"key_prefixes":["P"]})", "write \"partition_keys\""},
      {R"({"tables":["a"],"verbs":["read"],"partition_keys":["*"]})", "leave \"partition_keys\" out"},
      {R"({"tables":["a"],"verbs":["read"],"attributes":{}})", "must be written as"},
      {R"({"tables":["a"],"verbs":["read"],"attributes":["p"]})", "must be written as"},
      {R"({"tables":["a"],"verbs":["read"],"attributes":{"p":[]}})", "\"p\" must be a list"},
      {R"({"tables":["a"],"verbs":["read"],"attributes":{"p":["a*"]}})", "without '*'"},
      {R"({"tables":["a"],"verbs":["admin"],"partition_keys":["P"]})", "\"admin\" cannot be limited"},
      {R"({"queues":["a"],"verbs":["read"],"partition_keys":["P"]})", "none is named"},
      {R"({"tables":["a"],"verbs":["read"],"object_keys":["P"]})", "limit buckets, and none is named"},
      {R"({"buckets":["a"],"verbs":["admin"],"object_keys":["P"]})", "\"admin\" cannot be limited"},
      {R"({"buckets":["a"],"verbs":["read"],"partition_keys":["P"]})", "do not limit buckets"},
      {R"([{"tables":["a"],"verbs":["read"]},{"tables":["a"]}])", "grant 2: "},
  };
  for (const auto& [text, expected] : faults) {
    const auto policy = read(text);
    ASSERT_FALSE(policy) << text;
    EXPECT_NE(policy.error().message.find(expected), std::string::npos) << policy.error().message;
  }
}

}  // namespace
}  // namespace waybill::access
