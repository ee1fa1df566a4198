#include "migration/new_key.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "item/json.h"
#include "item/plain_json.h"

namespace waybill::migration {
namespace {

item::Item item_of(std::string_view text) {
  json::Parser parser;
  return *item::parse_item(*parser.parse_copy(text));
}

std::string words_of(const std::optional<item::Item>& item) {
  return item ? item::to_plain_json(item->view()) : "none";
}

table::KeySchema key_of(const std::string& partition, item::Type type = item::Type::string) {
  table::KeySchema key;
  key.partition = {partition, type};
  return key;
}

Migration migration_to(KeyMaking make, KeyMaking back = {}) {
  Migration migration;
  migration.kind = Kind::key;
  migration.make = std::move(make);
  migration.back = std::move(back);
  return migration;
}

TEST(NewKey, I8GoesThereAndBack) {
  const auto change =
      KeyChange::make(migration_to({{"PK", "USER#{userId}"}, {"SK", "IMAGE#{id}"}}), key_of("id"));
  ASSERT_TRUE(change) << change.error().message;
  const auto item = item_of(R"({"id":{"S":"1"},"userId":{"S":"u"},"n":{"N":"2"}})");
  const auto there = change->forward(item.view());
  EXPECT_EQ(words_of(there), R"({"id":"1","userId":"u","n":2,"PK":"USER#u","SK":"IMAGE#1"})");
  EXPECT_EQ(words_of(change->backward(there->view())), R"({"id":"1","userId":"u","n":2})");
  EXPECT_EQ(words_of(change->forward(item_of(R"({"id":{"S":"1"}})").view())), "none");
  EXPECT_EQ(change->new_key().sort->name, "SK");
}

TEST(NewKey, ANameThatIsUsedAgainNeedsAWayBack) {
  const KeyMaking make = {{"PK", "USER#{userId}"}, {"SK", "IMAGE#{id}"}};
  table::KeySchema old = key_of("PK");
  old.sort = table::KeyAttribute{"SK", item::Type::string};
  const auto without = KeyChange::make(migration_to(make), old);
  ASSERT_FALSE(without);
  EXPECT_NE(without.error().message.find("--back"), std::string::npos);
  const auto change = KeyChange::make(migration_to(make, {{"PK", "IMAGE#{id}"}, {"SK", "METADATA"}}), old);
  ASSERT_TRUE(change) << change.error().message;
  const auto item =
      item_of(R"({"PK":{"S":"IMAGE#1"},"SK":{"S":"METADATA"},"id":{"S":"1"},"userId":{"S":"u"}})");
  const auto there = change->forward(item.view());
  EXPECT_EQ(words_of(there), R"({"PK":"USER#u","SK":"IMAGE#1","id":"1","userId":"u"})");
  EXPECT_TRUE(item::equal(change->backward(there->view())->view(), item.view()));
}

TEST(NewKey, ANumberBecomesATextAndStays) {
  const auto change = KeyChange::make(migration_to({{"PK", "{n:04}"}}), key_of("n", item::Type::number));
  ASSERT_TRUE(change) << change.error().message;
  const auto there = change->forward(item_of(R"({"n":{"N":"7"}})").view());
  EXPECT_EQ(words_of(there), R"({"n":7,"PK":"0007"})");
  EXPECT_EQ(words_of(change->backward(there->view())), R"({"n":7})");
}

TEST(NewKey, WhatCannotBeAKeyIsTold) {
  EXPECT_FALSE(KeyChange::make(migration_to({}), key_of("id")));
  EXPECT_FALSE(KeyChange::make(migration_to({{"PK", "{"}}), key_of("id")));
  EXPECT_FALSE(KeyChange::make(migration_to({{"PK", "{a}"}}, {{"x", "{a}"}}), key_of("id")));
  const auto change = KeyChange::make(migration_to({{"PK", "{a}"}}), key_of("id"));
  ASSERT_TRUE(change);
  EXPECT_EQ(words_of(change->forward(item_of(R"({"id":{"S":"1"},"a":{"S":""}})").view())), "none");
  EXPECT_EQ(words_of(change->forward(item_of(R"({"id":{"S":"1"},"a":{"L":[]}})").view())), "none");
}

}  // namespace
}  // namespace waybill::migration
