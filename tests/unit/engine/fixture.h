#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/entropy.h"
#include "base/json.h"
#include "engine/engine.h"
#include "expression/condition.h"
#include "expression/placeholders.h"
#include "expression/update.h"
#include "item/json.h"
#include "table/key.h"

namespace waybill::engine {

inline item::Item item_of(std::string_view text) {
  json::Parser parser;
  const auto root = parser.parse_copy(text);
  WAYBILL_CHECK(root.has_value());
  return *item::parse_item(*root);
}

inline std::string json_of(item::ItemView item) {
  std::string out;
  item::append_json(out, item);
  return out;
}

// A store in a directory of its own, with a clock that the test moves.
class EngineTest : public ::testing::Test {
 protected:
  static constexpr int64_t start_ms = 1'800'000'000'000;

  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "waybill-engine-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    open();
  }

  void TearDown() override {
    store_.reset();
    std::filesystem::remove_all(directory_);
  }

  Options options() {
    Options made;
    made.data_dir = directory_;
    made.clock = &clock_;
    made.entropy = &entropy_;
    made.housekeeping_interval_ms = 20;
    made.disk_reserve_bytes = 0;
    made.memory_bytes = 64 << 20;
    made.durability = durability_;
    return made;
  }

  void open() {
    auto opened = engine::open(options());
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = *std::move(opened);
  }

  void reopen() {
    store_.reset();
    open();
  }

  // A table "things" with key id, and a global index on owner and at.
  static table::Table things() {
    table::Table table;
    table.name = "things";
    table.uuid = "u";
    table.key.partition = {"id", item::Type::string};
    table.attribute_definitions = {
        {"id", item::Type::string}, {"owner", item::Type::string}, {"at", item::Type::number}};
    table.indexes.push_back(by_owner());
    return table;
  }

  static table::Index by_owner() {
    table::Index index;
    index.name = "by_owner";
    index.key.partition = {"owner", item::Type::string};
    index.key.sort = table::KeyAttribute{"at", item::Type::number};
    return index;
  }

  Result<table::TablePtr> create(table::Table table) {
    std::promise<Result<table::TablePtr>> done;
    auto result = done.get_future();
    store_->create_table(std::move(table),
                         [&](Result<table::TablePtr> made) { done.set_value(std::move(made)); });
    return result.get();
  }

  Result<table::TablePtr> change(const std::string& name, store::TableChange how) {
    std::promise<Result<table::TablePtr>> done;
    auto result = done.get_future();
    store_->change_table(name, std::move(how),
                         [&](Result<table::TablePtr> made) { done.set_value(std::move(made)); });
    return result.get();
  }

  store::Outcome commit(store::Transaction transaction) {
    std::promise<store::Outcome> done;
    auto result = done.get_future();
    store_->commit(std::move(transaction),
                   [&](store::Outcome outcome) { done.set_value(std::move(outcome)); });
    return result.get();
  }

  store::Outcome commit(store::Action action) {
    store::Transaction transaction;
    transaction.actions.push_back(std::move(action));
    return commit(std::move(transaction));
  }

  store::Action action(store::ActionKind kind, std::string_view text,
                       std::string_view table_name = "things") {
    store::Action made;
    made.kind = kind;
    made.table = store_->find_table(table_name);
    WAYBILL_CHECK(made.table != nullptr);
    made.item = item_of(text);
    made.key = table::primary_key(made.table->key, made.item.view());
    return made;
  }

  static expression::PlaceholderSource source(std::optional<json::Value> values) {
    expression::PlaceholderSource made;
    made.values = values;
    return made;
  }

  static expression::Condition condition(std::string_view text, std::string_view values = {}) {
    json::Parser parser;
    std::optional<json::Value> parsed;
    if (!values.empty()) {
      parsed = *parser.parse_copy(values);
    }
    auto placeholders = expression::Placeholders::parse(source(parsed));
    WAYBILL_CHECK(placeholders.has_value());
    auto made = expression::Condition::parse(text, expression::ExpressionKind::condition, *placeholders);
    WAYBILL_CHECK(made.has_value());
    return *std::move(made);
  }

  static expression::Update update(std::string_view text, std::string_view values) {
    json::Parser parser;
    auto placeholders = expression::Placeholders::parse(source(*parser.parse_copy(values)));
    WAYBILL_CHECK(placeholders.has_value());
    auto made = expression::Update::parse(text, *placeholders);
    WAYBILL_CHECK(made.has_value());
    return *std::move(made);
  }

  void put(std::string_view text) {
    ASSERT_EQ(commit(action(store::ActionKind::put, text)).kind, store::OutcomeKind::committed);
  }

  std::string get(std::string_view id) {
    const auto table = store_->find_table("things");
    const auto key = item_of(R"({"id":{"S":")" + std::string(id) + R"("}})");
    const auto found = store_->get(*table, table::primary_key(table->key, key.view()));
    if (!found) {
      return found.error().message;
    }
    return *found ? json_of((*found)->item.view()) : "none";
  }

  // Every item of the table, or every entry of an index, in order.
  std::vector<std::string> all(std::string_view index_name = {}, bool forward = true) {
    struct Collect final : store::Visitor {
      bool visit(std::string_view /*key*/, item::ItemView item, uint32_t /*size_bytes*/) override {
        items.push_back(json_of(item));
        return true;
      }
      std::vector<std::string> items;
    } collected;
    store::Range range;
    range.table = store_->find_table("things");
    range.index = index_name.empty() ? nullptr : range.table->find_index(index_name);
    range.forward = forward;
    EXPECT_TRUE(store_->read(range, collected));
    return collected.items;
  }

  store::Stats stats(std::string_view index_name = {}) {
    const auto table = store_->find_table("things");
    return store_->stats(index_name.empty() ? table->space : table->find_index(index_name)->space);
  }

  // Waits, for a few seconds at most, until `holds` does.
  template <typename Predicate>
  static bool eventually(Predicate holds) {
    for (int i = 0; i < 500; ++i) {
      if (holds()) {
        return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  Durability durability_ = Durability::sync;
  ManualClock clock_{start_ms};
  SystemEntropy entropy_;
  std::string directory_;
  std::unique_ptr<store::Store> store_;
};

}  // namespace waybill::engine
