#pragma once

#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/fixture.h"
#include "item/plain_json.h"
#include "rules/contracts.h"
#include "rules/system_tables.h"
#include "table/key.h"

namespace waybill::rules {

// A store with one of the project's contracts in force.
class RulesTest : public engine::EngineTest {
 protected:
  static std::string contract_text(const std::string& name) {
    std::ifstream file(std::string(WAYBILL_CONTRACTS) + "/" + name + ".yaml", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  void open_contracts() {
    contracts_.reset();
    auto opened = Contracts::open(*store_, {&clock_, &entropy_});
    ASSERT_TRUE(opened) << opened.error().message;
    contracts_ = *std::move(opened);
  }

  void use(const std::string& name, std::map<std::string, std::string> parameters = {}) {
    open_contracts();
    const auto applied = contracts_->apply({name, contract_text(name), std::move(parameters)});
    ASSERT_TRUE(applied) << applied.error().message;
    deployed_ = *applied;
  }

  void use_text(const std::string& text) {
    open_contracts();
    const auto applied = contracts_->apply({"test.yaml", text, {}});
    ASSERT_TRUE(applied) << applied.error().message;
    deployed_ = *applied;
  }

  // "" where it was done, else what stood against it.
  std::string put(std::string_view item, store::Author author = {"tester", {}, {}}) {
    return write({action(store::ActionKind::put, item, deployed_->table)}, std::move(author));
  }

  std::string update(std::string_view key, std::string_view expression, std::string_view values,
                     store::Author author = {"tester", {}, {}}) {
    auto made = action(store::ActionKind::update, key, deployed_->table);
    made.update = EngineTest::update(expression, values);
    return write({std::move(made)}, std::move(author));
  }

  std::string remove(std::string_view key) {
    return write({action(store::ActionKind::remove, key, deployed_->table)}, {"tester", {}, {}});
  }

  std::string write(std::vector<store::Action> actions, store::Author author) {
    store::Transaction transaction;
    transaction.actions = std::move(actions);
    transaction.author = std::make_shared<const store::Author>(std::move(author));
    const auto outcome = commit(std::move(transaction));
    for (const auto& result : outcome.results) {
      if (result.refusal) {
        last_refusal_ = *result.refusal;
        return result.refusal->message;
      }
    }
    return outcome.error ? outcome.error->message : "";
  }

  // As plain JSON; "" where there is none.
  std::string get(std::string_view key, std::string_view table_name = {}) {
    const auto table =
        store_->find_table(table_name.empty() ? std::string_view(deployed_->table) : table_name);
    const auto found = store_->get(*table, table::primary_key(table->key, engine::item_of(key).view()));
    return found && *found ? item::to_plain_json((*found)->item.view()) : std::string();
  }

  item::Item item_at(std::string_view key) {
    const auto table = store_->find_table(deployed_->table);
    auto found = store_->get(*table, table::primary_key(table->key, engine::item_of(key).view()));
    return found && *found ? (*found)->item : item::Item();
  }

  // Attribute values of one item, as text; "-" where it has none.
  std::string field(std::string_view key, std::string_view name) {
    const auto item = item_at(key);
    const auto value = item.view().find(name);
    return value ? std::string(value->bytes()) : "-";
  }

  // All rows of a table, as plain JSON.
  std::vector<std::string> rows(std::string_view table_name) {
    struct Gather final : store::Visitor {
      bool visit(std::string_view, item::ItemView item, uint32_t) override {
        found.push_back(item::to_plain_json(item));
        return true;
      }
      std::vector<std::string> found;
    } gather;
    store::Range range;
    range.table = store_->find_table(table_name);
    WAYBILL_CHECK(range.table != nullptr);
    EXPECT_TRUE(store_->read(range, gather));
    return gather.found;
  }

  std::vector<std::string> messages(const std::string& queue) {
    std::vector<std::string> bodies;
    const auto peeked = store_->queues()->peek({queue, {}, {}, 100});
    EXPECT_TRUE(peeked);
    for (const auto& one : *peeked) {
      bodies.push_back(one.message.body);
    }
    return bodies;
  }

  int64_t count(const std::string& record, const std::string& state) {
    return *store_->counter(count_of_state(deployed_->contract.name, record, state));
  }

  std::unique_ptr<Contracts> contracts_;
  DeployedPtr deployed_;
  Error last_refusal_;
};

}  // namespace waybill::rules
