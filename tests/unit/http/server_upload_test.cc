// Bodies that are handed over as they come: their framing, pauses, ends before the end, and what follows
// them.
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "http/raw_client.h"
#include "http/server.h"

namespace waybill::http {
namespace {

// Takes bodies of PUT bit by bit, and answers with what it got; answers all other requests with their whole
// bodies.
class UploadTest : public testing::Test {
 protected:
  struct Seen {
    std::mutex mutex;  // guards what follows
    std::condition_variable changed;
    std::size_t bytes = 0;
    int abandoned = 0;
    std::optional<uint64_t> announced;
    std::optional<UploadGate> gate;
    bool pauses = false;
    std::size_t enough_bytes = SIZE_MAX;
  };

  class Keeper final : public Upload {
   public:
    explicit Keeper(Seen& seen) : seen_(seen) {}
    ~Keeper() override {
      const std::lock_guard lock(seen_.mutex);
      seen_.abandoned += finished_ ? 0 : 1;
      seen_.changed.notify_all();
    }
    Next take(std::string_view bytes) override {
      body_.append(bytes);
      const std::lock_guard lock(seen_.mutex);
      seen_.bytes += bytes.size();
      seen_.changed.notify_all();
      if (body_.size() >= seen_.enough_bytes) {
        return Next::enough;
      }
      return seen_.pauses ? Next::later : Next::more;
    }
    void finish(Responder responder) override {
      finished_ = true;
      Response response;
      response.body = std::to_string(body_.size()) + ":" + body_.substr(0, 20);
      responder.send(std::move(response));
    }

   private:
    Seen& seen_;
    std::string body_;
    bool finished_ = false;
  };

  void SetUp() override {
    options_.threads = 1;
    options_.body_bytes_max = 1000;
    options_.open_upload = [this](const Request& request, std::optional<uint64_t> length,
                                  const UploadGate& gate) {
      Opening opening;
      if (request.path == "/refused") {
        opening.refusal = Response{};
        opening.refusal->status = 403;
        opening.refusal->body = "no";
      } else if (request.method == "PUT") {
        const std::lock_guard lock(seen_.mutex);
        seen_.announced = length;
        seen_.gate.emplace(gate);
        opening.upload = std::make_unique<Keeper>(seen_);
      }
      return opening;
    };
    server_ = *Server::listen(options_, [](const Request& request, Responder responder) {
      Response response;
      response.body = "whole:" + std::string(request.body);
      responder.send(std::move(response));
    });
  }

  template <typename Condition>
  bool wait_until(Condition condition) {
    std::unique_lock lock(seen_.mutex);
    return seen_.changed.wait_for(lock, std::chrono::seconds(5), condition);
  }

  RawClient connect() { return RawClient(server_->port()); }
  static std::string head(std::size_t length, const std::string& path = "/x", const std::string& more = "") {
    return "PUT " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(length) +
           "\r\n" + more + "\r\n";
  }

  Seen seen_;
  ServerOptions options_;
  std::unique_ptr<Server> server_;
};

TEST_F(UploadTest, ABodyOfAnySizeIsHandedOverAndTheNextRequestIsServed) {
  RawClient client = connect();
  const std::string body(5'000'000, 'b');
  client.send(head(body.size()));
  std::thread sender([&] { client.send(body + post("next")); });
  EXPECT_EQ(client.read().body, "5000000:" + std::string(20, 'b'));
  EXPECT_EQ(client.read().body, "whole:next");
  sender.join();
  EXPECT_EQ(seen_.announced, 5'000'000U);
  EXPECT_EQ(seen_.abandoned, 0);
}

TEST_F(UploadTest, ChunksAreTakenOffHoweverTheyAreCut) {
  const std::string bytes =
      "PUT /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
      "5\r\nhello\r\n1\r\n \r\n5;x=y\r\nworld\r\n0\r\n\r\n" +
      post("next");
  for (std::size_t cut = 1; cut < bytes.size(); cut += 3) {
    RawClient client = connect();
    client.send(bytes.substr(0, cut));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    client.send(bytes.substr(cut));
    EXPECT_EQ(client.read().body, "11:hello world") << cut;
    EXPECT_EQ(client.read().body, "whole:next") << cut;
  }
  EXPECT_EQ(seen_.announced, std::nullopt);
}

TEST_F(UploadTest, AChunkedBodyThatIsMalformedIsRefused) {
  RawClient client = connect();
  EXPECT_EQ(client
                .exchange("PUT /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                          "5\r\nhelloworld")
                .status,
            400);
  EXPECT_TRUE(wait_until([&] { return seen_.abandoned == 1; }));
}

TEST_F(UploadTest, NothingIsReadUntilTheGateIsOpened) {
  seen_.pauses = true;
  RawClient client = connect();
  client.send(head(300'000) + "first");
  ASSERT_TRUE(wait_until([&] { return seen_.bytes == 5; }));
  client.send(std::string(10'000, 'x'));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  {
    const std::lock_guard lock(seen_.mutex);
    EXPECT_EQ(seen_.bytes, 5U);
    seen_.pauses = false;
    seen_.gate->open();
    seen_.gate->open();
  }
  client.send(std::string(300'000 - 10'005, 'y'));
  EXPECT_EQ(client.read().body, "300000:first" + std::string(15, 'x'));
  seen_.gate->open();
  EXPECT_EQ(client.exchange(post("on")).body, "whole:on");
}

TEST_F(UploadTest, AClientThatGoesAwayLeavesItsUploadUnfinished) {
  {
    RawClient client = connect();
    client.send(head(1'000'000) + "a part");
    ASSERT_TRUE(wait_until([&] { return seen_.bytes == 6; }));
  }
  EXPECT_TRUE(wait_until([&] { return seen_.abandoned == 1; }));
}

TEST_F(UploadTest, WhoHasEnoughAnswersAndTheConnectionEnds) {
  seen_.enough_bytes = 10;
  RawClient client = connect();
  client.send(head(1'000'000) + std::string(2'000, 'z'));
  const Answer answer = client.read();
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.headers.at("Connection"), "close");
}

TEST_F(UploadTest, ARefusalComesBeforeTheBody) {
  RawClient client = connect();
  const Answer answer = client.exchange(head(1'000'000, "/refused", "Expect: 100-continue\r\n"));
  EXPECT_EQ(answer.status, 403);
  EXPECT_EQ(answer.headers.at("Connection"), "close");
  EXPECT_TRUE(client.reads_end());
}

TEST_F(UploadTest, AClientThatAsksWhetherItMaySendIsToldSo) {
  RawClient client = connect();
  client.send(head(5, "/x", "Expect: 100-continue\r\n"));
  const std::string go_on = "HTTP/1.1 100 Continue\r\n\r\n";
  EXPECT_EQ(client.read_text(go_on), go_on);
  EXPECT_EQ(client.exchange("hello").body, "5:hello");
}

TEST_F(UploadTest, ContentCodingsAreLeftAsTheyAre) {
  RawClient client = connect();
  EXPECT_EQ(client.exchange(head(5, "/x", "Content-Encoding: aws-chunked\r\n") + "hello").body, "5:hello");
  EXPECT_EQ(client.exchange(head(5, "/x", "Content-Encoding: gzip\r\n") + "plain").body, "5:plain");
}

TEST_F(UploadTest, ABodyThatComesTooSlowlyIsGivenUp) {
  server_.reset();
  options_.body_grace_ms = 50;
  options_.body_bytes_per_second_min = 1'000'000;
  server_ = *Server::listen(options_, [](const Request&, Responder) {});
  RawClient client = connect();
  client.send(head(1'000'000) + "slow");
  EXPECT_EQ(client.read().status, 408);
  EXPECT_TRUE(wait_until([&] { return seen_.abandoned == 1; }));
}

}  // namespace
}  // namespace waybill::http
