#include "engine/change_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "engine/fixture.h"
#include "table/stream.h"

namespace waybill::engine {
namespace {

using store::ActionKind;
using store::ChangeKind;

// What a log says, one line for each change.
class Lines final : public store::ChangeVisitor {
 public:
  bool visit(const store::Change& change) override {
    constexpr std::string_view names[] = {"insert", "modify", "remove"};
    std::string line(names[static_cast<std::size_t>(change.kind)]);
    line += change.expired ? " expired " : " ";
    line += change.before ? json_of(*change.before) : "-";
    line += " ";
    line += change.after ? json_of(*change.after) : "-";
    lines.push_back(std::move(line));
    places.push_back(change.place);
    return true;
  }

  std::vector<std::string> lines;
  std::vector<table::ChangePlace> places;
};

class ChangeLogTest : public EngineTest {
 protected:
  static table::Table streamed(table::StreamView view = table::StreamView::new_and_old_images) {
    auto table = things();
    table.stream.enabled = true;
    table.stream.view = view;
    return table;
  }

  table::StreamPtr stream() {
    const auto table = store_->find_table("things");
    return store_->find_stream("things", table->stream.label);
  }

  Lines read(const table::StreamPtr& from) {
    Lines lines;
    const table::ChangePlace end =
        from->end.value_or(table::ChangePlace{std::numeric_limits<int64_t>::max(), 0});
    EXPECT_TRUE(store_->read_changes({from->log, from->begin, end}, lines));
    return lines;
  }

  void remove(std::string_view text) { commit(action(ActionKind::remove, text)); }
};

TEST(ChangeLogFormatTest, EntriesComeBack) {
  for (const bool has_keys : {false, true}) {
    for (const bool has_before : {false, true}) {
      for (const bool has_after : {false, true}) {
        change_log::Entry entry;
        entry.kind = ChangeKind::remove;
        entry.expired = has_keys;
        entry.streamed = has_after;
        const std::string long_record(300, 'b');
        entry.keys = has_keys ? std::optional<std::string_view>("keys") : std::nullopt;
        entry.before = has_before ? std::optional<std::string_view>(long_record) : std::nullopt;
        entry.after = has_after ? std::optional<std::string_view>("after") : std::nullopt;
        std::string bytes(change_log::Head(entry, has_after).view());
        bytes.append(entry.keys.value_or(""))
            .append(entry.before.value_or(""))
            .append(entry.after.value_or(""));
        const auto back = change_log::read(bytes);
        EXPECT_EQ(back.kind, entry.kind);
        EXPECT_EQ(back.expired, entry.expired);
        EXPECT_EQ(back.streamed, entry.streamed);
        EXPECT_EQ(back.keys, entry.keys);
        EXPECT_EQ(back.before, entry.before);
        EXPECT_EQ(back.after, entry.after);
      }
    }
  }
  const table::ChangePlace place{1'800'000'000'000, 3};
  EXPECT_EQ(change_log::place_of(change_log::key(9, place)), place);
}

TEST_F(ChangeLogTest, HasEveryChangeOnceAndInOrder) {
  ASSERT_TRUE(create(streamed()));
  put(R"({"id":{"S":"a"},"v":{"N":"1"}})");
  put(R"({"id":{"S":"a"},"v":{"N":"1"}})");  // changes nothing
  put(R"({"id":{"S":"a"},"v":{"N":"2"}})");
  remove(R"({"id":{"S":"a"}})");
  remove(R"({"id":{"S":"a"}})");
  const std::vector<std::string> expected = {
      R"(insert - {"id":{"S":"a"},"v":{"N":"1"}})",
      R"(modify {"id":{"S":"a"},"v":{"N":"1"}} {"id":{"S":"a"},"v":{"N":"2"}})",
      R"(remove {"id":{"S":"a"},"v":{"N":"2"}} -)"};
  const Lines lines = read(stream());
  EXPECT_EQ(lines.lines, expected);
  EXPECT_TRUE(std::ranges::is_sorted(lines.places));
  reopen();
  EXPECT_EQ(read(stream()).lines, expected);
  put(R"({"id":{"S":"b"}})");
  EXPECT_EQ(read(stream()).lines.size(), 4U);
}

TEST_F(ChangeLogTest, AnExpiredItemIsRemovedByTheServiceBeforeANewOneComes) {
  auto table = streamed();
  table.ttl.attribute = "ttl";
  ASSERT_TRUE(create(std::move(table)));
  put(R"({"id":{"S":"a"},"ttl":{"N":"1800000001"}})");
  clock_.advance_ms(5000);
  put(R"({"id":{"S":"a"}})");
  const auto lines = read(stream()).lines;
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[1], R"(remove expired {"id":{"S":"a"},"ttl":{"N":"1800000001"}} -)");
  EXPECT_EQ(lines[2], R"(insert - {"id":{"S":"a"}})");
}

TEST_F(ChangeLogTest, TimeDoesNotGoBackWithTheClock) {
  ASSERT_TRUE(create(streamed(table::StreamView::keys_only)));
  put(R"({"id":{"S":"a"}})");
  clock_.advance_ms(-60'000);
  put(R"({"id":{"S":"b"}})");
  reopen();
  clock_.advance_ms(-60'000);
  put(R"({"id":{"S":"c"}})");
  const Lines lines = read(stream());
  ASSERT_EQ(lines.places.size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(lines.places));
}

TEST_F(ChangeLogTest, AStreamSeesOnlyWhatHappensWhileItIsOn) {
  ASSERT_TRUE(create(things()));
  const auto turn = [&](bool on) {
    return change("things", [on](const table::Table& current) -> Result<table::Table> {
      auto next = current;
      next.stream.enabled = on;
      next.stream.view = table::StreamView::new_image;
      return next;
    });
  };
  put(R"({"id":{"S":"before"}})");
  ASSERT_TRUE(turn(true));
  const auto first = stream();
  put(R"({"id":{"S":"during"}})");
  ASSERT_TRUE(turn(false));
  put(R"({"id":{"S":"between"}})");
  ASSERT_TRUE(turn(true));
  put(R"({"id":{"S":"after"}})");
  const auto second = stream();
  EXPECT_NE(first->label, second->label);
  EXPECT_EQ(store_->streams().size(), 2U);
  const auto ended = store_->find_stream("things", first->label);
  ASSERT_TRUE(ended->end.has_value());
  EXPECT_EQ(read(ended).lines, std::vector<std::string>{R"(insert - {"id":{"S":"during"}})"});
  EXPECT_EQ(read(second).lines, std::vector<std::string>{R"(insert - {"id":{"S":"after"}})"});
}

TEST_F(ChangeLogTest, OldChangesAndStreamsGo) {
  ASSERT_TRUE(create(streamed()));
  put(R"({"id":{"S":"old"}})");
  const auto first = stream();
  clock_.advance_ms(table::stream_retention_ms + 60 * 60 * 1000);
  put(R"({"id":{"S":"new"}})");
  for (int i = 0; i < 500 && read(first).lines.size() > 1; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(read(first).lines, std::vector<std::string>{R"(insert - {"id":{"S":"new"}})"});
  std::promise<void> done;
  store_->delete_table(
      "things", [](const table::Table&) { return Status(); },
      [&](Result<table::TablePtr>) { done.set_value(); });
  done.get_future().wait();
  EXPECT_EQ(store_->streams().size(), 1U);
  clock_.advance_ms(table::stream_retention_ms + 60 * 60 * 1000);
  for (int i = 0; i < 500 && !store_->streams().empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(store_->streams().empty());
  for (int i = 0; i < 500 && !read(first).lines.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(read(first).lines.empty());
}

// Once a moment is past, no change with an earlier time is to come.
TEST_F(ChangeLogTest, WhatIsPastStaysAsItIs) {
  ASSERT_TRUE(create(streamed(table::StreamView::keys_only)));
  const auto from = stream();
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) {
      put(R"({"id":{"S":")" + std::to_string(i) + R"("}})");
    }
  });
  for (int i = 0; i < 1000; ++i) {
    clock_.advance_ms(1);
    const int64_t moment = clock_.wall_ms();
    while (!store_->is_past(moment)) {
      std::this_thread::yield();
    }
    const auto count = [&] {
      Lines lines;
      EXPECT_TRUE(store_->read_changes({from->log, from->begin, {moment, 0}}, lines));
      return lines.lines.size();
    };
    const auto before = count();
    std::this_thread::yield();
    EXPECT_EQ(count(), before);
  }
  stop = true;
  writer.join();
  EXPECT_FALSE(read(from).lines.empty());
}

}  // namespace
}  // namespace waybill::engine
