// The live feed: who is told what, what is kept for those who come back, and what is said where it is not.
#include "api/jobs/feed.h"

#include <gtest/gtest.h>

#include "api/memory_store.h"
#include "http/raw_client.h"
#include "http/server.h"
#include "rules/system_tables.h"

namespace waybill::api::jobs {
namespace {

item::Item row(uint64_t seq, const std::string& record, const std::string& action) {
  item::Item made;
  const auto add = [&](std::string_view name, item::Type type, const std::string& value) {
    item::append_name(made.encoded, name);
    item::append_scalar(made.encoded, type, value);
  };
  add("record", item::Type::string, record);
  add("seq", item::Type::number, std::to_string(seq));
  add("at", item::Type::number, "0");
  add("action", item::Type::string, action);
  return made;
}

table::Table journal() {
  table::Table table;
  table.name = rules::journal_table;
  table.space = 1;
  table.key.partition = {"record", item::Type::string};
  table.key.sort = table::KeyAttribute{"seq", item::Type::number};
  return table;
}

// GET /PATH listens to PATH; a path that ends with a slash to all below it. ?ID comes back.
class FeedTest : public testing::Test {
 protected:
  FeedTest() {
    http::ServerOptions options;
    options.threads = 1;
    server_ = *http::Server::listen(options, [this](const http::Request& request, http::Responder responder) {
      Feed::Interest interest{std::string(request.path.substr(1)), !request.path.ends_with("/"), {}};
      if (!request.query.empty()) {
        interest.after = std::stoull(std::string(request.query));
      }
      const auto number = *feed_.admit();
      responder.watch([this, number] { feed_.leave(number); });
      feed_.join(number, std::move(interest), responder.send_stream({}, {}));
    });
  }

  http::RawClient listen(const std::string& target) {
    http::RawClient client(server_->port());
    client.send("GET /" + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_EQ(client.read().status, 200);
    return client;
  }

  // The ids of the events that are told up to the one with this text in it.
  static std::string read_up_to(http::RawClient& client, const std::string& last) {
    std::string text;
    while (text.find(last) == std::string::npos) {
      const auto chunk = client.read_chunk();
      if (chunk.empty()) {
        return text + "(end)";
      }
      text += chunk;
    }
    std::string ids;
    for (std::size_t at = 0; (at = text.find("id: ", at)) != std::string::npos; ++at) {
      ids += text.substr(at + 4, text.find('\n', at) - at - 4) + " ";
    }
    return (text.find("event: reset") != std::string::npos ? "reset " : "") + ids;
  }

  bool wait_for_listeners(std::size_t count) {
    for (int i = 0; i < 5000 && feed_.listeners() != count; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return feed_.listeners() == count;
  }

  dynamodb::MemoryStore store_{journal()};
  Feed feed_{store_};
  std::unique_ptr<http::Server> server_;
};

TEST_F(FeedTest, EachIsToldWhatHeAskedFor) {
  auto all = listen("c/r/");
  auto one = listen("c/r/2");
  auto other = listen("c/other/");
  feed_.publish({row(1, "c/r/1", "create"), row(2, "c/r/2", "create"), row(3, "c/other/1", "create")});
  feed_.publish({row(4, "c/r/2", "cancel"), row(5, "c/r/22", "last"), row(6, "c/other/1", "last"),
                 row(7, "c/r/2", "last")});
  EXPECT_EQ(read_up_to(all, "id: 7"), "1 2 4 5 7 ");
  EXPECT_EQ(read_up_to(one, "id: 7"), "2 4 7 ");
  EXPECT_EQ(read_up_to(other, "id: 6"), "3 6 ");
}

TEST_F(FeedTest, WhoeverComesBackGetsWhatHeMissed) {
  auto first = listen("c/r/");
  feed_.publish({row(1, "c/r/1", "create"), row(2, "c/r/1", "step"), row(3, "c/x/1", "step")});
  EXPECT_EQ(read_up_to(first, "id: 2"), "1 2 ");
  first.close();
  EXPECT_TRUE(wait_for_listeners(0));
  feed_.publish({row(4, "c/r/1", "step")});
  auto back = listen("c/r/?2");
  feed_.publish({row(5, "c/r/1", "last")});
  EXPECT_EQ(read_up_to(back, "id: 5"), "4 5 ");
}

TEST_F(FeedTest, OfOneRecordTheJournalHasAll) {
  for (const auto* const seq : {"9", "10", "11", "100"}) {
    store_.put(R"({"record":{"S":"c/r/1"},"seq":{"N":")" + std::string(seq) + R"("},"action":{"S":"x"}})");
  }
  store_.put(R"({"record":{"S":"c/r/2"},"seq":{"N":"50"},"action":{"S":"x"}})");
  auto client = listen("c/r/1?9");
  feed_.publish({row(100, "c/r/1", "x"), row(101, "c/r/1", "last")});
  EXPECT_EQ(read_up_to(client, "id: 101"), "10 11 100 101 ");
}

TEST_F(FeedTest, WhatIsNotKeptIsSaidToBeMissing) {
  auto early = listen("c/r/?7");
  feed_.publish({row(10, "c/r/1", "a")});
  EXPECT_EQ(read_up_to(early, "id: 10"), "reset 10 ");
  auto before = listen("c/r/?9");
  auto since = listen("c/r/?10");
  feed_.publish({row(11, "c/r/1", "b")});
  EXPECT_EQ(read_up_to(before, "id: 11"), "reset 11 ");
  EXPECT_EQ(read_up_to(since, "id: 11"), "11 ");
}

TEST_F(FeedTest, OldRowsAreForgotten) {
  auto client = listen("c/none/");
  const std::string long_action(10'000, 'x');
  for (uint64_t seq = 1; seq <= 1000; ++seq) {
    feed_.publish({row(seq, "c/r/1", long_action)});
  }
  auto forgotten = listen("c/r/?2");
  auto kept = listen("c/r/?996");
  feed_.publish({row(1001, "c/r/1", "last")});
  EXPECT_EQ(read_up_to(forgotten, "id: 1001"), "reset 1001 ");
  EXPECT_EQ(read_up_to(kept, "id: 1001"), "997 998 999 1000 1001 ");
}

// All of it would be more than may wait for a client: it would be cut off, and come back for the same.
TEST_F(FeedTest, WhoHasMissedTooMuchIsToldSo) {
  const std::string long_action(1000, 'x');
  auto client = listen("c/none/");
  for (uint64_t seq = 1; seq <= 1000; ++seq) {
    feed_.publish({row(seq, "c/r/1", long_action)});
    store_.put(R"({"record":{"S":"c/r/1"},"seq":{"N":")" + std::to_string(seq) + R"("},"action":{"S":")" +
               long_action + R"("}})");
  }
  auto many = listen("c/r/?1");
  auto one = listen("c/r/1?1");
  feed_.publish({row(1001, "c/r/1", "last")});
  EXPECT_EQ(read_up_to(many, "id: 1001"), "reset 1001 ");
  EXPECT_EQ(read_up_to(one, "id: 1001"), "reset 1001 ");
}

TEST_F(FeedTest, ThoseWhoLeaveMakeRoom) {
  for (int i = 0; i < 3; ++i) {
    auto client = listen("c/r/");
    EXPECT_TRUE(wait_for_listeners(1));
    client.close();
    EXPECT_TRUE(wait_for_listeners(0));
  }
  auto client = listen("c/r/");
  server_->stop();
  EXPECT_EQ(client.read_chunk(), "");
  EXPECT_TRUE(wait_for_listeners(0));
  server_->join();
}

}  // namespace
}  // namespace waybill::api::jobs
