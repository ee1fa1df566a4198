#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <thread>

#include "engine/fixture.h"
#include "table/restore_rules.h"

// Tables made of what others were: at any moment of the past, and of backups.
namespace waybill::engine {
namespace {

using store::ActionKind;

class RecoveryTest : public EngineTest {
 protected:
  static table::Table recoverable() {
    auto table = things();
    auto& some = table.indexes.emplace_back(by_owner());
    some.name = "some";
    some.projection = {table::ProjectionKind::include, {"v"}};
    auto& keys = table.indexes.emplace_back(by_owner());
    keys.name = "keys";
    keys.projection.kind = table::ProjectionKind::keys_only;
    table.billing = table::BillingMode::pay_per_request;
    table.recovery.enabled = true;
    return table;
  }

  Result<table::TablePtr> begin_restore(store::RestoreSource source, const table::WantedRestore& wanted) {
    std::promise<Result<table::TablePtr>> done;
    auto result = done.get_future();
    store_->restore_table(
        std::move(source),
        [&](const table::Table& origin) { return table::make_restored(origin, wanted, clock_.wall_ms()); },
        [&](Result<table::TablePtr> made) { done.set_value(std::move(made)); });
    return result.get();
  }

  Result<table::TablePtr> restore(std::string name, std::optional<int64_t> time_ms) {
    return begin_restore({"things", time_ms, {}}, wanted(std::move(name)));
  }

  static table::WantedRestore wanted(std::string name) {
    table::WantedRestore made;
    made.name = std::move(name);
    return made;
  }

  bool is_ready(const std::string& name) {
    const auto table = store_->find_table(name);
    return table && table->state == table::TableState::ready;
  }

  std::vector<std::string> all_of(const std::string& name, std::string_view index_name = {}) {
    struct Collect final : store::Visitor {
      bool visit(std::string_view /*key*/, item::ItemView item, uint32_t /*size_bytes*/) override {
        items.push_back(json_of(item));
        return true;
      }
      std::vector<std::string> items;
    } collected;
    store::Range range;
    range.table = store_->find_table(name);
    range.index = index_name.empty() ? nullptr : range.table->find_index(index_name);
    EXPECT_TRUE(store_->read(range, collected));
    std::ranges::sort(collected.items);
    return collected.items;
  }

  Result<table::BackupPtr> backup(const std::string& table_name, const std::string& name) {
    std::promise<Result<table::BackupPtr>> done;
    auto result = done.get_future();
    store_->create_backup(table_name, name,
                          [&](Result<table::BackupPtr> made) { done.set_value(std::move(made)); });
    return result.get();
  }

  Result<table::BackupPtr> forget(const std::string& id) {
    std::promise<Result<table::BackupPtr>> done;
    auto result = done.get_future();
    store_->delete_backup(id, [&](Result<table::BackupPtr> gone) { done.set_value(std::move(gone)); });
    return result.get();
  }

  bool is_available(const std::string& id) {
    const auto found = store_->find_backup(id);
    return found && found->available;
  }

  Result<table::TablePtr> remove_table(const std::string& name) {
    std::promise<Result<table::TablePtr>> done;
    auto result = done.get_future();
    store_->delete_table(
        name, [](const table::Table&) { return Status(); },
        [&](Result<table::TablePtr> gone) { done.set_value(std::move(gone)); });
    return result.get();
  }
};

// What happened to the items of one table, in order.
class History {
 public:
  void put(int64_t time_ms, int key, int owner, int at, int value, std::optional<int64_t> ttl) {
    changes_.push_back({time_ms, key, Version{owner, at, value, ttl}});
  }
  void remove(int64_t time_ms, int key) { changes_.push_back({time_ms, key, std::nullopt}); }

  static std::string text(int key, int owner, int at, int value, std::optional<int64_t> ttl) {
    return R"({"id":{"S":"k)" + std::to_string(key) + R"("},"owner":{"S":"o)" + std::to_string(owner) +
           R"("},"at":{"N":")" + std::to_string(at) + R"("},"v":{"N":")" + std::to_string(value) + R"("})" +
           (ttl ? R"(,"ttl":{"N":")" + std::to_string(*ttl) + R"("})" : "") + "}";
  }

  // Every item at that moment.
  std::vector<std::string> at(int64_t time_ms) const {
    std::map<int, Version> state;
    for (const auto& change : changes_) {
      if (change.time_ms > time_ms) {
        break;
      }
      if (change.after) {
        state.insert_or_assign(change.key, *change.after);
      } else {
        state.erase(change.key);
      }
    }
    std::vector<std::string> items;
    for (const auto& [key, v] : state) {
      if (!v.ttl || *v.ttl > time_ms / 1000) {
        items.push_back(json_of(item_of(text(key, v.owner, v.at, v.value, v.ttl)).view()));
      }
    }
    std::ranges::sort(items);
    return items;
  }

 private:
  struct Version {
    int owner, at, value;
    std::optional<int64_t> ttl;
  };
  struct Change {
    int64_t time_ms;
    int key;
    std::optional<Version> after;
  };
  std::vector<Change> changes_;
};

// The items without these attributes, whose values are plain.
std::vector<std::string> without(std::vector<std::string> items,
                                 std::initializer_list<std::string_view> names) {
  for (auto& text : items) {
    std::string kept = "{";
    json::Parser parser;
    const auto root = *parser.parse_copy(text);
    for (json::Members members(root); members.next();) {
      if (std::ranges::find(names, members.key()) == names.end()) {
        const auto at = text.find("\"" + std::string(members.key()) + "\":");
        const auto end = text.find('}', at) + 1;
        kept.append(kept.size() == 1 ? "" : ",").append(text.substr(at, end - at));
      }
    }
    text = kept + "}";
  }
  std::ranges::sort(items);
  return items;
}

// P10: the table at 50 moments of 100,000 writes, while it is written to.
TEST_F(RecoveryTest, AnyMomentOfARandomHistoryComesBack) {
  auto table = recoverable();
  table.ttl.attribute = "ttl";
  table.ttl.changed_at_ms = start_ms;
  ASSERT_TRUE(create(std::move(table)));
  History history;
  std::mt19937 random(20261116);
  const auto chance = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
  int written = 0;
  const auto write_some = [&](int count) {
    std::vector<store::Transaction> transactions;
    for (int i = 0; i < count; ++i, ++written) {
      const int key = chance(600);
      auto& made = transactions.emplace_back().actions.emplace_back();
      if (chance(5) == 0) {
        made = action(ActionKind::remove, R"({"id":{"S":"k)" + std::to_string(key) + R"("}})");
        history.remove(clock_.wall_ms(), key);
      } else {
        const int owner = chance(9);
        const int at = chance(1000);
        const int value = chance(3);
        const auto ttl = chance(4) == 0 ? std::optional(clock_.wall_seconds() + chance(100)) : std::nullopt;
        made = action(ActionKind::put, History::text(key, owner, at, value, ttl));
        history.put(clock_.wall_ms(), key, owner, at, value, ttl);
      }
    }
    std::promise<std::vector<store::Outcome>> done;
    store_->commit_each(std::move(transactions),
                        [&](std::vector<store::Outcome> outcomes) { done.set_value(std::move(outcomes)); });
    for (const auto& outcome : done.get_future().get()) {
      ASSERT_EQ(outcome.kind, store::OutcomeKind::committed);
    }
    clock_.advance_ms(chance(1500));
  };
  while (written < 100'000) {
    write_some(1 + chance(120));
  }
  const int64_t end_ms = clock_.wall_ms();
  for (int i = 0; i < 50; ++i) {
    const int64_t moment_ms = (start_ms / 1000 + chance(static_cast<int>((end_ms - start_ms) / 1000))) * 1000;
    const std::string name = "restored" + std::to_string(i);
    ASSERT_TRUE(restore(name, moment_ms));
    write_some(50);
    ASSERT_TRUE(eventually([&] { return is_ready(name); }));
    const auto expected = history.at(moment_ms);
    EXPECT_EQ(all_of(name), expected) << moment_ms;
    EXPECT_EQ(all_of(name, "by_owner"), expected) << moment_ms;
    EXPECT_EQ(all_of(name, "some"), without(expected, {"ttl"})) << moment_ms;
    EXPECT_EQ(all_of(name, "keys"), without(expected, {"ttl", "v"})) << moment_ms;
    const auto made = store_->find_table(name);
    EXPECT_EQ(store_->stats(made->space).items, static_cast<int64_t>(expected.size()));
    EXPECT_EQ(store_->stats(made->indexes[1].space).items, static_cast<int64_t>(expected.size()));
    ASSERT_TRUE(remove_table(name));
  }
}

TEST_F(RecoveryTest, ARestoredTableCanBeWrittenAndKeepsItsIndexes) {
  ASSERT_TRUE(create(recoverable()));
  put(R"({"id":{"S":"a"},"owner":{"S":"x"},"at":{"N":"1"}})");
  clock_.advance_ms(1000);
  const int64_t moment_ms = clock_.wall_ms();
  clock_.advance_ms(1000);
  put(R"({"id":{"S":"a"},"owner":{"S":"y"},"at":{"N":"2"}})");
  put(R"({"id":{"S":"b"},"owner":{"S":"y"},"at":{"N":"3"}})");
  table::WantedRestore one_index = wanted("copy");
  table::WantedIndex index;
  index.name = "by_owner";
  index.key = {{"owner", false}, {"at", true}};
  index.projection.kind = table::ProjectionKind::all;
  one_index.global_indexes = std::vector{index};
  ASSERT_TRUE(begin_restore({"things", moment_ms, {}}, one_index));
  ASSERT_TRUE(eventually([&] { return is_ready("copy"); }));
  EXPECT_EQ(store_->find_table("copy")->indexes.size(), 1U);
  ASSERT_EQ(
      commit(action(ActionKind::put, R"({"id":{"S":"c"},"owner":{"S":"z"},"at":{"N":"4"}})", "copy")).kind,
      store::OutcomeKind::committed);
  ASSERT_EQ(commit(action(ActionKind::remove, R"({"id":{"S":"a"}})", "copy")).kind,
            store::OutcomeKind::committed);
  EXPECT_EQ(all_of("copy", "by_owner").size(), 1U);
  EXPECT_EQ(all_of("copy").size(), 1U);
  reopen();
  EXPECT_EQ(all_of("copy", "by_owner").size(), 1U);
  EXPECT_EQ(store_->stats(store_->find_table("copy")->space).items, 1);
}

TEST_F(RecoveryTest, OnlyMomentsOfTheWindowAreToBeHad) {
  auto table = recoverable();
  table.recovery.enabled = false;
  ASSERT_TRUE(create(std::move(table)));
  EXPECT_EQ(restore("copy", std::nullopt).error().kind, ErrorKind::recovery_unavailable);
  clock_.advance_ms(10'000);
  ASSERT_TRUE(change("things", [](const table::Table& current) -> Result<table::Table> {
    auto next = current;
    next.recovery.enabled = true;
    next.recovery.days = 1;
    return next;
  }));
  EXPECT_EQ(restore("copy", start_ms).error().kind, ErrorKind::invalid_restore_time);
  EXPECT_EQ(restore("copy", clock_.wall_ms() + 1000).error().kind, ErrorKind::invalid_restore_time);
  EXPECT_EQ(restore("things", clock_.wall_ms()).error().kind, ErrorKind::table_exists);
  EXPECT_EQ(begin_restore({"nothing", {}, {}}, wanted("copy")).error().kind, ErrorKind::table_not_found);
  clock_.advance_ms(int64_t{30} * 60 * 60 * 1000);
  EXPECT_EQ(restore("copy", start_ms + 10'000).error().kind, ErrorKind::invalid_restore_time);
  EXPECT_TRUE(restore("copy", std::nullopt));
}

TEST_F(RecoveryTest, BackupsAreMadeRestoredAndDeleted) {
  ASSERT_TRUE(create(things()));
  for (int i = 0; i < 500; ++i) {
    put(R"({"id":{"S":"k)" + std::to_string(i) + R"("},"owner":{"S":"x"},"at":{"N":")" + std::to_string(i) +
        R"("}})");
  }
  const auto before = all_of("things");
  const auto made = backup("things", "first");
  ASSERT_TRUE(made);
  const std::string id = (*made)->id;
  put(R"({"id":{"S":"later"}})");
  ASSERT_TRUE(eventually([&] { return is_available(id); }));
  EXPECT_EQ(store_->find_backup(id)->items, 500);
  EXPECT_EQ(backup("nothing", "other").error().kind, ErrorKind::table_not_found);
  ASSERT_TRUE(remove_table("things"));
  reopen();
  auto target = wanted("copy");
  target.billing = table::BillingMode::pay_per_request;
  ASSERT_TRUE(begin_restore({{}, {}, id}, target));
  ASSERT_TRUE(eventually([&] { return is_ready("copy"); }));
  EXPECT_EQ(all_of("copy"), before);
  EXPECT_EQ(all_of("copy", "by_owner"), before);
  ASSERT_TRUE(forget(id));
  EXPECT_EQ(forget(id).error().kind, ErrorKind::backup_not_found);
  EXPECT_EQ(begin_restore({{}, {}, id}, wanted("again")).error().kind, ErrorKind::backup_not_found);
  EXPECT_EQ(all_of("copy"), before);
}

TEST_F(RecoveryTest, ADeletedTableWithRecoveryLeavesABackupFor35Days) {
  ASSERT_TRUE(create(recoverable()));
  put(R"({"id":{"S":"a"}})");
  ASSERT_TRUE(remove_table("things"));
  ASSERT_TRUE(eventually([&] { return !store_->find_table("things"); }));
  const auto left = store_->backups();
  ASSERT_EQ(left.size(), 1U);
  EXPECT_TRUE(left[0]->by_service);
  EXPECT_TRUE(left[0]->available);
  ASSERT_TRUE(begin_restore({{}, {}, left[0]->id}, wanted("things")));
  ASSERT_TRUE(eventually([&] { return is_ready("things"); }));
  EXPECT_EQ(all_of("things"), std::vector<std::string>{R"({"id":{"S":"a"}})"});
  clock_.advance_ms(table::service_backup_life_ms + 1000);
  EXPECT_TRUE(eventually([&] { return store_->backups().empty(); }));
}

// The store is closed at once after each begins; it must go on by itself.
TEST_F(RecoveryTest, WorkThatWasCutOffGoesOnAfterAStart) {
  ASSERT_TRUE(create(recoverable()));
  for (int i = 0; i < 2000; ++i) {
    put(R"({"id":{"S":"k)" + std::to_string(i) + R"("},"owner":{"S":"x"},"at":{"N":")" + std::to_string(i) +
        R"("}})");
  }
  const auto before = all_of("things");
  for (int round = 0; round < 5; ++round) {
    const std::string name = "copy" + std::to_string(round);
    ASSERT_TRUE(restore(name, std::nullopt));
    const auto made = backup("things", "again");
    ASSERT_TRUE(made);
    reopen();
    ASSERT_TRUE(eventually([&] { return is_ready(name) && is_available((*made)->id); }));
    EXPECT_EQ(all_of(name), before);
    EXPECT_EQ(all_of(name, "by_owner"), before);
    EXPECT_EQ(store_->find_backup((*made)->id)->items, 2000);
  }
}

}  // namespace
}  // namespace waybill::engine
