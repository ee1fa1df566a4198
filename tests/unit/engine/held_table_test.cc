#include <gtest/gtest.h>

#include <thread>

#include "engine/fixture.h"

// Tables that are held at a moment, notes, and tables whose items come from above the store.
namespace waybill::engine {
namespace {

using store::ActionKind;

class HeldTableTest : public EngineTest {
 protected:
  static table::Table recoverable() {
    auto table = things();
    table.recovery.enabled = true;
    return table;
  }

  static std::string thing(int id, int value) {
    return R"({"id":{"S":"k)" + std::to_string(id) + R"("},"v":{"N":")" + std::to_string(value) + R"("}})";
  }

  void put(const std::string& table, std::string_view text) {
    ASSERT_EQ(commit(action(ActionKind::put, text, table)).kind, store::OutcomeKind::committed);
  }

  Status hold(store::WantedPast wanted, table::HeldTable& held) {
    std::promise<Status> done;
    auto result = done.get_future();
    store_->hold_table(
        std::move(wanted),
        [&](const table::Table& /*table*/, const table::HeldTable& given) -> Result<table::Note> {
          held = given;
          return table::Note{"export/1", "text", given};
        },
        [&](Status status) { done.set_value(std::move(status)); });
    return result.get();
  }

  Status put_note(table::Note note) {
    std::promise<Status> done;
    auto result = done.get_future();
    store_->put_note(std::move(note), [&](Status status) { done.set_value(std::move(status)); });
    return result.get();
  }

  Result<table::TablePtr> remove_table(const std::string& name) {
    std::promise<Result<table::TablePtr>> done;
    auto result = done.get_future();
    store_->delete_table(
        name, [](const table::Table&) { return Status(); },
        [&](Result<table::TablePtr> gone) { done.set_value(std::move(gone)); });
    return result.get();
  }

  struct Row {
    std::string key;
    std::string item;
  };
  std::vector<Row> read(const table::HeldTable& held, std::string_view after, std::size_t limit = 1000) {
    struct Collect final : store::Visitor {
      bool visit(std::string_view key, item::ItemView item, uint32_t /*size_bytes*/) override {
        rows.push_back({std::string(key), json_of(item)});
        return rows.size() < limit;
      }
      std::vector<Row> rows;
      std::size_t limit = 0;
    } collected;
    collected.limit = limit;
    EXPECT_TRUE(store_->read_held(held, after, collected));
    return collected.rows;
  }
};

TEST_F(HeldTableTest, APastIsReadInPiecesAndAgainAfterARestart) {
  ASSERT_TRUE(create(recoverable()));
  for (int i = 0; i < 50; ++i) {
    put("things", thing(i, 1));
  }
  table::HeldTable held;
  ASSERT_TRUE(hold({"things", std::nullopt, false}, held));
  EXPECT_TRUE(held.is_past());
  clock_.advance_ms(1000);
  for (int i = 0; i < 50; i += 2) {
    put("things", thing(i, 2));
  }
  for (int i = 50; i < 80; ++i) {
    put("things", thing(i, 2));
  }
  const auto whole = read(held, {});
  ASSERT_EQ(whole.size(), 50U);
  for (const auto& row : whole) {
    EXPECT_NE(row.item.find(R"("v":{"N":"1"})"), std::string::npos) << row.item;
  }
  // In pieces, each behind the last key of the one before, with changes and a restart between.
  std::vector<Row> pieces;
  for (int round = 0; pieces.size() < 50 && round < 20; ++round) {
    const auto piece = read(held, pieces.empty() ? "" : pieces.back().key, 7);
    pieces.insert(pieces.end(), piece.begin(), piece.end());
    put("things", thing(round * 3, 3 + round));
    if (round == 3) {
      reopen();
    }
  }
  ASSERT_EQ(pieces.size(), whole.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(pieces[i].key, whole[i].key);
    EXPECT_EQ(pieces[i].item, whole[i].item);
  }
}

TEST_F(HeldTableTest, WhatIsHeldIsNeitherDeletedNorTrimmed) {
  auto table = recoverable();
  table.recovery.days = 1;
  ASSERT_TRUE(create(table));
  put("things", thing(1, 1));
  table::HeldTable held;
  ASSERT_TRUE(hold({"things", std::nullopt, false}, held));
  clock_.advance_ms(1000);
  put("things", thing(1, 2));
  EXPECT_EQ(remove_table("things").error().kind, ErrorKind::in_use);
  const auto off = change("things", [](const table::Table& now) -> Result<table::Table> {
    auto after = now;
    after.recovery.enabled = false;
    return after;
  });
  EXPECT_EQ(off.error().kind, ErrorKind::in_use);
  // Days later, when the housekeeper has been round.
  clock_.advance_ms(int64_t{3} * 24 * 60 * 60 * 1000);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  reopen();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const auto rows = read(held, {});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_NE(rows.front().item.find(R"("v":{"N":"1"})"), std::string::npos);
  ASSERT_TRUE(put_note({"export/1", "done", {}}));
  EXPECT_EQ(store_->notes("export/")->front().text, "done");
  EXPECT_TRUE(remove_table("things"));
}

TEST_F(HeldTableTest, TimesAndRecoveryAreChecked) {
  ASSERT_TRUE(create(things()));
  table::HeldTable held;
  EXPECT_EQ(hold({"nothing", std::nullopt, true}, held).error().kind, ErrorKind::table_not_found);
  EXPECT_EQ(hold({"things", std::nullopt, false}, held).error().kind, ErrorKind::recovery_unavailable);
  EXPECT_EQ(hold({"things", start_ms, true}, held).error().kind, ErrorKind::recovery_unavailable);
  ASSERT_TRUE(hold({"things", std::nullopt, true}, held));
  EXPECT_FALSE(held.is_past());
  put("things", thing(1, 1));
  EXPECT_EQ(read(held, {}).size(), 1U);
  auto other = recoverable();
  other.name = "other";
  ASSERT_TRUE(create(other));
  EXPECT_EQ(hold({"other", start_ms - 1000, false}, held).error().kind, ErrorKind::invalid_export_time);
  EXPECT_EQ(hold({"other", start_ms + 1000, false}, held).error().kind, ErrorKind::invalid_export_time);
}

TEST_F(HeldTableTest, NotesAreKept) {
  ASSERT_TRUE(put_note({"import/1", "one", {}}));
  ASSERT_TRUE(put_note({"import/2", "zwei \"2\"", {}}));
  ASSERT_TRUE(put_note({"export/1", "x", {}}));
  reopen();
  const auto notes = store_->notes("import/");
  ASSERT_EQ(notes->size(), 2U);
  EXPECT_EQ((*notes)[1].name, "import/2");
  EXPECT_EQ((*notes)[1].text, "zwei \"2\"");
  std::promise<Status> done;
  store_->forget_note("import/1", [&](Status status) { done.set_value(std::move(status)); });
  EXPECT_TRUE(done.get_future().get());
  EXPECT_EQ(store_->notes("import/")->size(), 1U);
}

TEST_F(HeldTableTest, AnImportIsSeenWhenItIsDone) {
  const auto begin = [&](const std::string& name) {
    auto table = things();
    table.name = name;
    std::promise<Result<table::TablePtr>> done;
    auto made = done.get_future();
    store_->begin_import(std::move(table), {"import/" + name, "begun", {}},
                         [&](Result<table::TablePtr> begun) { done.set_value(std::move(begun)); });
    return made.get();
  };
  const auto end = [&](const std::string& name, store::ImportEnd how) {
    std::promise<Status> done;
    auto ended = done.get_future();
    store_->end_import(name, how, {"import/" + name, "ended", {}},
                       [&](Status status) { done.set_value(std::move(status)); });
    return ended.get();
  };
  ASSERT_TRUE(begin("kept"));
  ASSERT_TRUE(begin("dropped"));
  EXPECT_EQ(begin("kept").error().kind, ErrorKind::in_use);
  put("kept", thing(1, 1));
  reopen();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // nobody else goes on with it
  EXPECT_EQ(store_->find_table("kept")->state, table::TableState::being_made);
  put("kept", thing(2, 1));
  ASSERT_TRUE(end("kept", store::ImportEnd::keep));
  ASSERT_TRUE(end("dropped", store::ImportEnd::discard));
  EXPECT_EQ(store_->find_table("kept")->state, table::TableState::ready);
  EXPECT_EQ(store_->stats(store_->find_table("kept")->space).items, 2);
  EXPECT_EQ(store_->find_table("dropped"), nullptr);
  EXPECT_EQ(store_->notes("import/kept")->front().text, "ended");
}

}  // namespace
}  // namespace waybill::engine
