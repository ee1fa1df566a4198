// Posts over a real socket, to a server that answers as it is told.
#include "alarm/webhook.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "http/server.h"

namespace waybill::alarm {
namespace {

struct Heard {
  std::string path;
  std::string body;
  std::string id;
  std::string signature;
};

class WebhookTest : public testing::Test {
 protected:
  WebhookTest() {
    server_ = *http::Server::listen({}, [this](const http::Request& request, http::Responder responder) {
      answer(request, std::move(responder));
    });
  }

  void answer(const http::Request& request, http::Responder responder) {
    const std::lock_guard lock(mutex_);
    heard_.push_back({std::string(request.path), std::string(request.body),
                      std::string(request.header("x-waybill-notice-id")),
                      std::string(request.header("x-waybill-signature"))});
    if (status_ == 0) {
      held_.push_back(std::move(responder));
      return;
    }
    http::Response response;
    response.status = status_;
    if (status_ / 100 == 3) {
      response.headers.emplace_back("Location", "/elsewhere");
    }
    responder.send(std::move(response));
  }
  std::unique_ptr<Webhook> open(const std::string& secret = "") {
    const std::string url = "http://127.0.0.1:" + std::to_string(server_->port()) + "/hook?a=b";
    return *Webhook::open({url, secret, "here:8000"});
  }
  std::vector<Heard> take_heard() {
    const std::lock_guard lock(mutex_);
    return std::exchange(heard_, {});
  }
  void set_status(int status) {
    const std::lock_guard lock(mutex_);
    status_ = status;
  }
  static Notice notice() { return {"17-ab", {{"jobs", Kind::depth}, true, 12, 10}, 1'731'742'800'123}; }

  std::mutex mutex_;  // guards what follows
  int status_ = 200;  // 0: no answer
  std::vector<Heard> heard_;
  std::vector<http::Responder> held_;
  std::unique_ptr<http::Server> server_;
};

TEST_F(WebhookTest, PostsTheNoticeWithItsId) {
  const auto webhook = open();
  EXPECT_EQ(webhook->post(notice()).posted, Posted::taken);
  EXPECT_EQ(webhook->post(notice()).posted, Posted::taken);
  const auto heard = take_heard();
  ASSERT_EQ(heard.size(), 2u);
  EXPECT_EQ(heard[0].path, "/hook");
  EXPECT_EQ(heard[0].body, body_of(notice(), "here:8000"));
  EXPECT_EQ(heard[0].id, "17-ab");
  EXPECT_EQ(heard[0].signature, "");
  EXPECT_EQ(server_->connection_count(), 1u);
}

TEST_F(WebhookTest, SignsWithTheSecret) {
  const auto webhook = open("open-sesame");
  EXPECT_EQ(webhook->post(notice()).posted, Posted::taken);
  const auto heard = take_heard();
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_EQ(heard[0].body,
            R"({"id":"17-ab","alarm":"depth","state":"raised","queue":"jobs","value":12,"threshold":10,)"
            R"("time":"2024-11-16T07:40:00.123Z","server":"here:8000"})");
  // openssl dgst -sha256 -hmac open-sesame
  EXPECT_EQ(heard[0].signature, "sha256=c8c94d8a5d4a7b6cab0f876b8aee11f40e08ff2dbc51228b20a8da8f30b6a703");
}

TEST_F(WebhookTest, TellsWhatIsWorthAnotherAttempt) {
  const auto webhook = open();
  const auto posted_at = [&](int status) {
    set_status(status);
    return webhook->post(notice()).posted;
  };
  EXPECT_EQ(posted_at(204), Posted::taken);
  for (const int status : {500, 502, 503, 504, 408, 425, 429}) {
    EXPECT_EQ(posted_at(status), Posted::failed) << status;
  }
  for (const int status : {400, 401, 403, 404, 410}) {
    EXPECT_EQ(posted_at(status), Posted::refused) << status;
  }
}

TEST_F(WebhookTest, DoesNotFollowRedirects) {
  const auto webhook = open();
  for (const int status : {301, 302, 307, 308}) {
    set_status(status);
    EXPECT_EQ(webhook->post(notice()).posted, Posted::refused);
    EXPECT_EQ(take_heard().size(), 1u);
  }
}

TEST_F(WebhookTest, FailsWhereNobodyListens) {
  const auto webhook = open();
  server_.reset();
  const auto outcome = webhook->post(notice());
  EXPECT_EQ(outcome.posted, Posted::failed);
  EXPECT_NE(outcome.detail, "");
}

TEST_F(WebhookTest, IsInterrupted) {
  set_status(0);
  const auto webhook = open();
  const auto begin = std::chrono::steady_clock::now();
  std::thread interrupter([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    webhook->interrupt();
  });
  EXPECT_EQ(webhook->post(notice()).posted, Posted::failed);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  interrupter.join();
  const std::lock_guard lock(mutex_);
  held_.clear();
}

TEST(WebhookUrl, MustBeOneOfHttp) {
  for (const char* wrong :
       {"", "example.com", "ftp://example.com", "file:///etc/passwd", "http://", "HTTPSX://a", "//a"}) {
    EXPECT_FALSE(Webhook::open({wrong, "", ""})) << wrong;
  }
  EXPECT_TRUE(Webhook::open({"https://example.com/hook", "", ""}));
}

}  // namespace
}  // namespace waybill::alarm
