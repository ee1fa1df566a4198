// Records are found by their keys, in pages, newest first; by tags; and what happened to them is told.
#include "job/list.h"

#include <algorithm>

#include "base/bytes.h"
#include "job/counts.h"
#include "job/cursor.h"
#include "job/fixture.h"
#include "job/history.h"
#include "job/remove.h"
#include "job/update.h"
#include "rules/system_tables.h"
#include "table/key.h"

namespace waybill::job {
namespace {

class ListTest : public JobTest {
 protected:
  static ListRequest request(const Subject& of, std::map<std::string, std::string> fields) {
    ListRequest made;
    made.subject = of;
    made.fields = std::move(fields);
    return made;
  }
  // All records, page by page.
  std::vector<item::Item> all(ListRequest wanted, std::size_t limit = 100) {
    std::vector<item::Item> records;
    wanted.limit = limit;
    for (int pages = 0; pages < 1000; ++pages) {
      auto page = list(services(), wanted);
      EXPECT_TRUE(page) << page.error().message;
      if (!page) {
        break;
      }
      EXPECT_LE(page->records.size(), limit);
      std::ranges::move(page->records, std::back_inserter(records));
      if (page->next.empty()) {
        break;
      }
      wanted.cursor = page->next;
    }
    return records;
  }
  static std::string fields_of(const std::vector<item::Item>& records, std::string_view path) {
    std::string joined;
    for (const auto& record : records) {
      joined += (joined.empty() ? "" : " ") + at(record, path);
    }
    return joined;
  }
  // What a cursor tells to whoever looks into it.
  static std::string bytes_of(std::string cursor) {
    std::ranges::replace(cursor, '-', '+');
    std::ranges::replace(cursor, '_', '/');
    return decode_base64(cursor.append((4 - cursor.size() % 4) % 4, '=')).value_or("");
  }
  Subject image() const { return subject("image-service", "image"); }
  Created make_image(const std::string& user, const std::string& tags) {
    clock_.advance_ms(1000);
    return make(image(),
                R"({"userId":{"S":")" + user +
                    R"("},"originalFilename":{"S":"a"},"mimeType":{"S":"image/png"},"fileSize":{"N":"1"},)"
                    R"("tags":{"L":[)" +
                    tags + "]}}");
  }
};

TEST_F(ListTest, O1_JobsOfAWorkspaceNewestFirst) {
  std::string newest;
  std::string oldest;
  for (int i = 0; i < 7; ++i) {
    clock_.advance_ms(1000);
    const auto made = make_job("k" + std::to_string(i));
    newest = made.id + (newest.empty() ? "" : " ") + newest;
    oldest += (oldest.empty() ? "" : " ") + made.id;
  }
  make(
      job(),
      R"({"workspace_id":{"S":"w2"},"user_id":{"S":"u"},"workflow_id":{"S":"f"},"trigger_type":{"S":"manual"},)"
      R"("idempotency_key":{"S":"x"}})");
  auto wanted = request(job(), {{"workspace_id", "w1"}});
  EXPECT_EQ(fields_of(all(wanted), "job_id"), newest);
  EXPECT_EQ(fields_of(all(wanted, 3), "job_id"), newest);
  EXPECT_EQ(fields_of(all(wanted, 7), "job_id"), newest);
  wanted.order = Order::oldest;
  EXPECT_EQ(fields_of(all(wanted, 2), "job_id"), oldest);
  wanted.index = "workspace_created_at";
  EXPECT_EQ(fields_of(all(wanted), "job_id"), oldest);
}

TEST_F(ListTest, OtherFieldsAreLookedAtAsFarAsTheIndexHasThem) {
  make_job("a");
  make_job("b");
  const auto held = claim_one(job());
  EXPECT_EQ(fields_of(all(request(job(), {{"workspace_id", "w1"}, {"status", "running"}}), 1), "job_id"),
            held.id);
  EXPECT_EQ(list(services(), request(job(), {{"workspace_id", "w1"}, {"user_id", "u1"}})).error().detail,
            "user_id");
}

TEST_F(ListTest, WhatIsNoListIsRefused) {
  const auto none = list(services(), request(job(), {}));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::invalid);
  EXPECT_NE(none.error().message.find("workspace_id"), std::string::npos) << none.error().message;
  EXPECT_EQ(list(services(), request(job(), {{"colour", "red"}})).error().detail, "colour");
  auto wanted = request(job(), {{"workspace_id", "w1"}});
  wanted.index = "none";
  EXPECT_EQ(list(services(), wanted).error().detail, "index");
  wanted.index = "";
  wanted.limit = 0;
  EXPECT_EQ(list(services(), wanted).error().detail, "limit");
}

TEST_F(ListTest, ACursorIsOfOneListAlone) {
  make_job("a");
  make_job("b");
  auto wanted = request(job(), {{"workspace_id", "w1"}});
  wanted.limit = 1;
  const auto page = list(services(), wanted);
  ASSERT_TRUE(page);
  ASSERT_NE(page->next, "");
  wanted.cursor = page->next;
  wanted.fields = {{"workspace_id", "w2"}};
  EXPECT_EQ(list(services(), wanted).error().detail, "cursor");
  wanted.cursor = "nonsense";
  EXPECT_EQ(list(services(), wanted).error().kind, ErrorKind::invalid);
}

// Whoever knows how cursors are made can make one up.
TEST_F(ListTest, A10_ACursorDoesNotLeadOutOfItsList) {
  const auto other = make_job("a");
  const auto own = make_job("b");
  const std::string path = "orchestrator/job/" + own.id;
  for (const auto order : {Order::oldest, Order::newest}) {
    const bool forward = order == Order::oldest;
    const std::string place = forward ? std::string(1, '\x01') : std::string(64, '\xff');
    HistoryRequest wanted{job(), own.id, order, 100, ""};
    wanted.cursor = print_cursor("history/" + path + (forward ? ">" : "<"), place);
    const auto rows = history(services(), wanted);
    ASSERT_FALSE(rows) << rows->records.size();
    EXPECT_EQ(rows.error().detail, "cursor");
  }
}

TEST_F(ListTest, A10_WhatIsOutOfReachIsNotListed) {
  for (int i = 0; i < 5; ++i) {
    make_photo("mine");
    clock_.advance_ms(1);
    make_photo("theirs");
    clock_.advance_ms(1);
  }
  auto wanted = request(photo(), {{"status", "QUEUED"}});
  access::Reach reach;
  reach.add(std::make_shared<const access::Limits>(access::Limits{{}, {{"userId", {"mine"}}}}));
  wanted.reach = std::make_shared<const access::Reach>(reach);
  const auto found = all(wanted, 2);
  EXPECT_EQ(fields_of(found, "userId"), "mine mine mine mine mine");
  wanted.limit = 2;
  const auto page = list(services(), wanted);
  ASSERT_EQ(page->records.size(), 2U);
  EXPECT_NE(bytes_of(page->next).find(at(page->records.back(), "jobId")), std::string::npos);
}

TEST_F(ListTest, A10_TagsOfOthersAreNotListed) {
  for (int i = 0; i < 3; ++i) {
    make_image("u1", R"({"S":"red"})");
    make_image("u2", R"({"S":"red"})");
  }
  auto wanted = request(image(), {{"userId", "u1"}});
  wanted.tags = {"red"};
  access::Reach reach;
  reach.add(std::make_shared<const access::Limits>(access::Limits{{}, {{"userId", {"u1"}}}}));
  wanted.reach = std::make_shared<const access::Reach>(reach);
  EXPECT_EQ(fields_of(all(wanted, 2), "userId"), "u1 u1 u1");
  wanted.fields = {{"userId", "u2"}};
  EXPECT_TRUE(all(wanted, 2).empty());
}

// A page that has looked at enough can be gone on from, though it shows nothing.
TEST_F(ListTest, I5_ManyRowsOfATagAreGoneThroughInPages) {
  const auto rows = store_->find_table(rules::tags_table);
  constexpr int count = 20'100;
  for (int i = 0; i < count; i += 100) {
    store::Transaction transaction;
    for (int j = i; j < i + 100; ++j) {
      const std::string number = std::to_string(100'000 + j);
      store::Action action;
      action.table = rows;
      action.item =
          item_of(R"({"tag":{"S":")" + rules::name_of_row("image-service", "image", "u1", "red") +
                  R"("},"place":{"S":"2028-)" + number + R"("},"id":{"S":"gone)" + number + R"("}})");
      action.key = table::primary_key(rows->key, action.item.view());
      transaction.actions.push_back(std::move(action));
    }
    ASSERT_TRUE(answer_of<store::Outcome>(
        [&](auto done) { store_->commit(std::move(transaction), std::move(done)); }));
  }
  make_image("u1", R"({"S":"red"})");
  auto wanted = request(image(), {{"userId", "u1"}});
  wanted.tags = {"red"};
  EXPECT_EQ(all(wanted).size(), 1U);
}

TEST_F(ListTest, P3_PhotosByUserAndByStatus) {
  make_photo("u1");
  clock_.advance_ms(1);
  make_photo("u2");
  clock_.advance_ms(1);
  make_photo("u1");
  EXPECT_EQ(all(request(photo(), {{"userId", "u1"}})).size(), 2U);
  EXPECT_EQ(all(request(photo(), {{"status", "QUEUED"}})).size(), 3U);
  EXPECT_EQ(all(request(photo(), {{"status", "FAILED"}})).size(), 0U);
  EXPECT_EQ(all(request(photo(), {{"status", "QUEUED"}, {"userId", "u2"}})).size(), 1U);
}

TEST_F(ListTest, A3_AccessPatternsOfASingleTable) {
  const auto asset = subject("asset-creator", "asset");
  const auto asset_job = subject("asset-creator", "job");
  for (int version = 1; version <= 12; ++version) {
    make(asset, R"({"project_id":{"S":"p"},"asset_id":{"S":"ast_1"},"version":{"N":")" +
                    std::to_string(version) + R"("},"type":{"S":"3D"},"files":{"L":[]}})");
    clock_.advance_ms(1);
  }
  const auto one = make(asset_job, R"({"project_id":{"S":"p"},"asset_type":{"S":"x"}})");
  make(asset_job, R"({"project_id":{"S":"q"},"asset_type":{"S":"x"}})");
  EXPECT_EQ(fields_of(all(request(asset_job, {{"project_id", "p"}})), "job_id"), at(one.record, "job_id"));
  EXPECT_EQ(all(request(asset_job, {{"status", "queued"}})).size(), 2U);
  EXPECT_EQ(all(request(asset_job, {{"project_id", "p"}, {"status", "queued"}})).size(), 1U);
  auto latest = request(asset, {{"project_id", "p"}, {"asset_id", "ast_1"}});
  latest.limit = 1;
  EXPECT_EQ(at(list(services(), latest)->records.at(0), "version"), "12");
  EXPECT_EQ(at(all(request(asset, {{"type", "3D"}})).front(), "version"), "12");
}

TEST_F(ListTest, T6_FilesOfAnOwnerByTheMirror) {
  const auto file = subject("text-analyzer", "file");
  const auto fields = [](const std::string& owner) {
    return R"({"ownerId":{"S":")" + owner +
           R"("},"s3Bucket":{"S":"b"},"s3Key":{"S":"k"},"originalFileName":{"S":"f"}})";
  };
  const auto first = make(file, fields("o1"));
  make(file, fields("o2"));
  const auto second = make(file, fields("o1"));
  EXPECT_EQ(fields_of(all(request(file, {{"ownerId", "o1"}}), 1), "fileId"), second.id + " " + first.id);
}

TEST_F(ListTest, I5_ImagesByTags) {
  const std::string red = R"({"S":"red"})";
  const std::string blue = R"({"S":"blue"})";
  std::vector<std::string> ids;
  for (int i = 0; i < 300; ++i) {
    const bool has_blue = i % 7 == 0;
    ids.push_back(make_image("u1", has_blue ? red + "," + blue : red).id);
  }
  make_image("u2", red + "," + blue);
  const auto only_blue = make_image("u1", blue).id;
  auto wanted = request(image(), {{"userId", "u1"}});
  wanted.tags = {"red", "blue"};
  wanted.match = TagMatch::all;
  std::string both;
  for (int i = 299; i >= 0; --i) {
    both += i % 7 == 0 ? (both.empty() ? "" : " ") + ids[static_cast<std::size_t>(i)] : "";
  }
  EXPECT_EQ(fields_of(all(wanted), "id"), both);
  EXPECT_EQ(fields_of(all(wanted, 5), "id"), both);
  wanted.match = TagMatch::any;
  const auto any = all(wanted, 50);
  EXPECT_EQ(any.size(), 301U);
  EXPECT_EQ(at(any.front(), "id"), only_blue);
  EXPECT_EQ(at(any.back(), "id"), ids.front());
  wanted.order = Order::oldest;
  EXPECT_EQ(at(all(wanted, 50).front(), "id"), ids.front());
  wanted.tags = {"green"};
  EXPECT_TRUE(all(wanted).empty());
  wanted.fields.clear();
  EXPECT_EQ(list(services(), wanted).error().detail, "userId");
  auto untagged = request(job(), {{"workspace_id", "w1"}});
  untagged.tags = {"red"};
  EXPECT_EQ(list(services(), untagged).error().kind, ErrorKind::unsupported);
}

TEST_F(ListTest, I5_AnIdMayEndInAnyCharacter) {
  for (const auto* const id : {R"(a\u0000)", "a", R"(a\u0001)"}) {
    make(image(), R"({"id":{"S":")" + std::string(id) +
                      R"("},"userId":{"S":"u1"},"originalFilename":{"S":"a"},"mimeType":{"S":"image/png"},)"
                      R"("fileSize":{"N":"1"},"tags":{"L":[{"S":"red"}]}})");
  }
  auto wanted = request(image(), {{"userId", "u1"}});
  wanted.tags = {"red"};
  wanted.limit = 10;
  for (const auto order : {Order::newest, Order::oldest}) {
    wanted.order = order;
    const auto page = list(services(), wanted);
    ASSERT_TRUE(page) << page.error().message;
    EXPECT_EQ(page->records.size(), 3U);
    EXPECT_EQ(page->next, "");
  }
}

TEST_F(ListTest, I5_APageThatHasLookedAtEnoughTellsWhereToGoOn) {
  constexpr int images = 10'500;
  const auto table = store_->find_table("ImageMetadata");
  for (int i = 0; i < images;) {
    std::vector<store::Transaction> transactions;
    for (int end = std::min(images, i + 500); i < end; ++i) {
      const std::string id = std::to_string(100'000 + i);
      store::Action put;
      put.table = table;
      put.item = item_of(R"({"PK":{"S":"IMAGE#)" + id +
                         R"("},"SK":{"S":"METADATA"},"userId":{"S":"u1"},)"
                         R"("originalFilename":{"S":"a"},"mimeType":{"S":"image/png"},"fileSize":{"N":")" +
                         std::string(i == 0 ? "2" : "1") + R"("},"tags":{"L":[{"S":"red"},{"S":"blue"}]}})");
      put.key = table::primary_key(table->key, put.item.view());
      transactions.emplace_back().actions.push_back(std::move(put));
    }
    std::promise<std::vector<store::Outcome>> done;
    store_->commit_each(std::move(transactions),
                        [&](std::vector<store::Outcome> made) { done.set_value(std::move(made)); });
    for (const auto& outcome : done.get_future().get()) {
      ASSERT_EQ(outcome.kind, store::OutcomeKind::committed);
    }
  }
  auto wanted = request(image(), {{"userId", "u1"}, {"fileSize", "2"}});
  wanted.tags = {"red", "blue"};
  for (const auto match : {TagMatch::any, TagMatch::all}) {
    wanted.match = match;
    EXPECT_EQ(fields_of(all(wanted), "id"), "100000");
  }
}

TEST_F(ListTest, CountsAreExact) {
  make_job("a");
  make_job("b");
  make_job("c");
  ASSERT_TRUE(try_finish(job(), claim_one(job())));
  claim_one(job());
  using Counts = std::vector<std::pair<std::string, int64_t>>;
  const Counts expected = {{"pending", 0},   {"queued", 1}, {"running", 1}, {"failed", 0},
                           {"completed", 1}, {"dead", 0},   {"canceled", 0}};
  auto counted = counts(services(), job(), {});
  ASSERT_TRUE(counted) << counted.error().message;
  EXPECT_EQ(std::map(counted->begin(), counted->end()), std::map(expected.begin(), expected.end()));
  counted = counts(services(), job(), "w1");
  EXPECT_EQ(std::map(counted->begin(), counted->end()), std::map(expected.begin(), expected.end()));
  EXPECT_EQ(counts(services(), job(), "w2")->at(1).second, 0);
  EXPECT_EQ(counts(services(), photo(), "u").error().kind, ErrorKind::unsupported);
  EXPECT_EQ(counts(services(), subject("asset-creator", "project"), {}).error().kind, ErrorKind::unsupported);
}

TEST_F(ListTest, A6_HistoryIsToldInPages) {
  const auto made = make_job("a", R"(,"steps_total":{"N":"4"})");
  const auto held = claim_one(job());
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(try_step(job(), held, std::to_string(i)));
  }
  ASSERT_TRUE(try_finish(job(), held));
  HistoryRequest wanted{job(), made.id, Order::oldest, 2, ""};
  std::string actions;
  std::size_t rows = 0;
  while (true) {
    const auto page = history(services(), wanted);
    ASSERT_TRUE(page) << page.error().message;
    for (const auto& row : page->records) {
      actions += (actions.empty() ? "" : " ") + at(row, "action");
      ++rows;
    }
    if (page->next.empty()) {
      break;
    }
    wanted.cursor = page->next;
  }
  EXPECT_NE(actions.find("create"), std::string::npos) << actions;
  EXPECT_LT(actions.find("create"), actions.find("claim")) << actions;
  EXPECT_LT(actions.find("claim"), actions.find("finish")) << actions;
  wanted = {job(), made.id, Order::newest, 100, ""};
  EXPECT_EQ(history(services(), wanted)->records.size(), rows);
  EXPECT_EQ(at(history(services(), wanted)->records.at(0), "to"), "completed");
  EXPECT_TRUE(history(services(), {job(), "nobody", Order::oldest, 10, ""})->records.empty());
}

}  // namespace
}  // namespace waybill::job
