// Policies on the real engine: what a RestrictedStore leaves out, and what the commit refuses.
#include "store/restricted_store.h"

#include <algorithm>

#include "access/policy_reader.h"
#include "engine/fixture.h"

namespace waybill::engine {
namespace {

using store::ActionKind;
using store::OutcomeKind;

class RestrictedStoreTest : public EngineTest {
 protected:
  void SetUp() override {
    EngineTest::SetUp();
    ASSERT_TRUE(create(things()));
    json::Parser parser;
    policy_ = *access::read_policy(*parser.parse_copy(R"([
        {"tables":["things"],"verbs":["read","write"],"partition_keys":["mine","mine#*"]},
        {"tables":["things"],"verbs":["read","write"],"partition_keys":["job#*"],"attributes":{"team":["me"]}}])"),
                                   "");
    restricted_ = std::make_unique<store::RestrictedStore>(*store_, policy_, "ME");
    for (const auto* const item :
         {R"({"id":{"S":"mine"},"owner":{"S":"o"},"at":{"N":"1"}})",
          R"({"id":{"S":"job#1"},"team":{"S":"me"},"owner":{"S":"o"},"at":{"N":"2"}})",
          R"({"id":{"S":"job#2"},"team":{"S":"you"},"owner":{"S":"o"},"at":{"N":"3"}})",
          R"({"id":{"S":"yours"}})"}) {
      ASSERT_EQ(commit(action(ActionKind::put, item)).kind, OutcomeKind::committed);
    }
  }
  void TearDown() override {
    restricted_.reset();
    EngineTest::TearDown();
  }

  store::Outcome try_commit(store::Transaction transaction) {
    std::promise<store::Outcome> done;
    auto result = done.get_future();
    restricted_->commit(std::move(transaction),
                        [&](store::Outcome outcome) { done.set_value(std::move(outcome)); });
    return result.get();
  }

  // "ok", or the kind of what stood against it.
  std::string try_action(store::Action action) {
    store::Transaction transaction;
    transaction.actions.push_back(std::move(action));
    const auto outcome = try_commit(std::move(transaction));
    if (outcome.kind == OutcomeKind::committed) {
      return "ok";
    }
    const auto& error =
        outcome.kind == OutcomeKind::failed ? *outcome.error : *outcome.results.front().refusal;
    return error.kind == ErrorKind::access_denied      ? "denied " + error.detail
           : error.kind == ErrorKind::condition_failed ? "condition"
                                                       : error.message;
  }
  std::string try_put(std::string_view item) { return try_action(action(ActionKind::put, item)); }
  std::string try_remove(std::string_view item) { return try_action(action(ActionKind::remove, item)); }
  std::string try_update(std::string_view key, std::string_view expression, std::string_view values) {
    auto made = action(ActionKind::update, key);
    made.update = update(expression, values);
    return try_action(std::move(made));
  }

  std::string found(std::string_view key) {
    const auto table = store_->find_table("things");
    const auto got = restricted_->get(*table, table::primary_key(table->key, item_of(key).view()));
    return !got ? "denied" : *got ? "found" : "nothing";
  }

  // The ids that a read of the table, or of its index, shows.
  std::vector<std::string> ids(bool of_index) {
    struct Ids final : store::Visitor {
      bool visit(std::string_view, item::ItemView item, uint32_t) override {
        all.emplace_back(item.find("id")->bytes());
        return true;
      }
      std::vector<std::string> all;
    } visitor;
    store::Range range;
    range.table = store_->find_table("things");
    range.index = of_index ? &range.table->indexes.front() : nullptr;
    EXPECT_TRUE(restricted_->read(range, visitor));
    std::ranges::sort(visitor.all);
    return visitor.all;
  }

  access::PolicyPtr policy_;
  std::unique_ptr<store::RestrictedStore> restricted_;
};

TEST_F(RestrictedStoreTest, A10_ReadsShowWhatIsInReach) {
  EXPECT_EQ(found(R"({"id":{"S":"mine"}})"), "found");
  EXPECT_EQ(found(R"({"id":{"S":"mine2"}})"), "denied");
  EXPECT_EQ(found(R"({"id":{"S":"yours"}})"), "denied");
  EXPECT_EQ(found(R"({"id":{"S":"job#1"}})"), "found");
  EXPECT_EQ(found(R"({"id":{"S":"job#2"}})"), "nothing");
  EXPECT_EQ(found(R"({"id":{"S":"job#3"}})"), "nothing");
  EXPECT_EQ(ids(false), (std::vector<std::string>{"job#1", "mine"}));
  EXPECT_EQ(ids(true), (std::vector<std::string>{"job#1", "mine"}));
}

TEST_F(RestrictedStoreTest, A10_WritesNeedTheItemInReachBeforeAndAfter) {
  const std::string denied = "denied table/things";
  EXPECT_EQ(try_put(R"({"id":{"S":"mine#2"}})"), "ok");
  EXPECT_EQ(try_put(R"({"id":{"S":"yours"},"team":{"S":"me"}})"), denied);
  EXPECT_EQ(try_put(R"({"id":{"S":"job#3"},"team":{"S":"me"}})"), "ok");
  EXPECT_EQ(try_put(R"({"id":{"S":"job#4"},"team":{"S":"you"}})"), denied);
  EXPECT_EQ(try_put(R"({"id":{"S":"job#4"}})"), denied);
  EXPECT_EQ(try_put(R"({"id":{"S":"job#2"},"team":{"S":"me"}})"), denied);
  EXPECT_EQ(try_update(R"({"id":{"S":"job#1"}})", "SET a = :a", R"({":a":{"S":"x"}})"), "ok");
  EXPECT_EQ(try_update(R"({"id":{"S":"job#1"}})", "SET team = :a", R"({":a":{"S":"you"}})"), denied);
  EXPECT_EQ(try_update(R"({"id":{"S":"job#2"}})", "SET team = :a", R"({":a":{"S":"me"}})"), denied);
  EXPECT_EQ(try_update(R"({"id":{"S":"job#5"}})", "SET team = :a", R"({":a":{"S":"me"}})"), "ok");
  EXPECT_EQ(try_remove(R"({"id":{"S":"job#5"}})"), "ok");
  EXPECT_EQ(try_remove(R"({"id":{"S":"job#2"}})"), denied);
  EXPECT_EQ(try_remove(R"({"id":{"S":"mine#9"}})"), "ok");
}

TEST_F(RestrictedStoreTest, A10_WhatIsNotSeenIsNotTold) {
  // One is there and another's, the other is not there.
  for (const auto* const key : {R"({"id":{"S":"job#2"}})", R"({"id":{"S":"job#9"}})"}) {
    auto removal = action(ActionKind::remove, key);
    removal.condition = condition("attribute_exists(id)");
    removal.wants_item_on_failure = true;
    EXPECT_EQ(try_action(std::move(removal)), "condition");
    EXPECT_EQ(try_remove(key), "denied table/things");
    EXPECT_EQ(try_update(key, "SET a.b = :a", R"({":a":{"S":"x"}})"),
              "The document path provided in the update expression is invalid for update");
    auto check = action(ActionKind::check, key);
    check.condition = condition("attribute_not_exists(id)");
    EXPECT_EQ(try_action(std::move(check)), "ok");
  }
}

TEST_F(RestrictedStoreTest, A10_OneActionThatIsDeniedCallsOffTheTransaction) {
  store::Transaction transaction;
  transaction.actions.push_back(action(ActionKind::put, R"({"id":{"S":"mine#1"}})"));
  transaction.actions.push_back(action(ActionKind::remove, R"({"id":{"S":"job#2"}})"));
  EXPECT_EQ(try_commit(std::move(transaction)).kind, OutcomeKind::refused);
  EXPECT_EQ(found(R"({"id":{"S":"mine#1"}})"), "nothing");
}

TEST_F(RestrictedStoreTest, A10_TablesAreNotAdministered) {
  EXPECT_EQ(restricted_->list_tables("", 10), std::vector<std::string>{"things"});
  EXPECT_TRUE(restricted_->may_know("things"));
  EXPECT_FALSE(restricted_->may_know("others"));
  std::optional<ErrorKind> kind;
  restricted_->delete_table(
      "things", [](const table::Table&) { return Status(); },
      [&](Result<table::TablePtr> done) { kind = done.error().kind; });
  EXPECT_EQ(kind, ErrorKind::access_denied);
  EXPECT_EQ(restricted_->stats(store_->find_table("things")->space).items, 0);
  EXPECT_EQ(store_->stats(store_->find_table("things")->space).items, 4);
}

}  // namespace
}  // namespace waybill::engine
