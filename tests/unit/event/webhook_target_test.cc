// Posts of events over a real socket, to a server that answers as it is told.
#include "event/webhook_target.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "event/fixture.h"
#include "http/server.h"

namespace waybill::event {
namespace {

struct Heard {
  std::string path;
  std::string body;
  std::map<std::string, std::string> headers;
};

class WebhookTargetTest : public EventTest {
 protected:
  WebhookTargetTest() {
    server_ = *http::Server::listen({}, [this](const http::Request& request, http::Responder responder) {
      answer(request, std::move(responder));
    });
  }

  void answer(const http::Request& request, http::Responder responder) {
    const std::lock_guard lock(mutex_);
    Heard heard{std::string(request.path), std::string(request.body), {}};
    for (const auto* name : {"content-type", "webhook-id", "webhook-timestamp", "webhook-signature"}) {
      heard.headers[name] = request.header(name);
    }
    heard_.push_back(std::move(heard));
    http::Response response;
    response.status = status_;
    responder.send(std::move(response));
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_->port()) + "/hook"; }
  std::unique_ptr<Target> open(const std::string& secret = "") {
    return *WebhookTarget::open({url(), secret, &clock_});
  }
  std::vector<Heard> take_heard() {
    const std::lock_guard lock(mutex_);
    return std::exchange(heard_, {});
  }
  void set_status(int status) {
    const std::lock_guard lock(mutex_);
    status_ = status;
  }
  static Event event(const std::string& id) {
    return {id, "/v1/runs/run", "r" + id, "run_ended", 1'731'742'800'123, R"({"n":1})"};
  }

  std::mutex mutex_;  // guards what follows
  int status_ = 200;
  std::vector<Heard> heard_;
  std::unique_ptr<http::Server> server_;
};

TEST_F(WebhookTargetTest, PostsTheCloudEvent) {
  const auto target = open();
  EXPECT_EQ(target->deliver({event("7"), event("8")}).size(), 2u);
  const auto heard = take_heard();
  ASSERT_EQ(heard.size(), 2u);
  EXPECT_EQ(heard[0].path, "/hook");
  EXPECT_EQ(heard[0].body, cloud_event(event("7")));
  EXPECT_EQ(heard[0].headers.at("content-type"), "application/cloudevents+json; charset=utf-8");
  EXPECT_EQ(heard[0].headers.at("webhook-id"), "7");
  EXPECT_EQ(heard[0].headers.at("webhook-timestamp"), "1800000000");
  EXPECT_EQ(heard[0].headers.at("webhook-signature"), "");
  EXPECT_EQ(heard[1].headers.at("webhook-id"), "8");
}

TEST_F(WebhookTargetTest, SignsIdTimeAndBody) {
  const auto signature = [&](const std::string& secret) {
    EXPECT_EQ(open(secret)->deliver({event("7")}).front().told, Told::taken);
    return take_heard().front().headers.at("webhook-signature");
  };
  // printf '7.1800000000.BODY' | openssl dgst -sha256 -hmac open-sesame -binary | base64
  const std::string expected = "v1,4mXAuWWBUqFSZhqxDLuZhnHf53onWngjvzBnIzcfS20=";
  EXPECT_EQ(signature("open-sesame"), expected);
  // The same secret, as Standard Webhooks writes it.
  EXPECT_EQ(signature("whsec_b3Blbi1zZXNhbWU="), expected);
  EXPECT_NE(signature("another"), expected);
  EXPECT_FALSE(WebhookTarget::open({url(), "whsec_?", &clock_}));
}

TEST_F(WebhookTargetTest, TellsWhatIsWorthAnotherAttempt) {
  const auto target = open();
  const auto told_at = [&](int status) {
    set_status(status);
    return target->deliver({event("1")}).front();
  };
  EXPECT_EQ(told_at(204).told, Told::taken);
  for (const int status : {500, 502, 503, 504, 408, 425, 429}) {
    EXPECT_EQ(told_at(status).told, Told::failed) << status;
  }
  for (const int status : {301, 307, 400, 401, 403, 404, 410}) {
    EXPECT_EQ(told_at(status).told, Told::refused) << status;
  }
  EXPECT_EQ(told_at(410).why, "status 410");
}

TEST_F(WebhookTargetTest, DoesNotTryAllWhereNobodyAnswers) {
  const auto target = open();
  set_status(503);
  EXPECT_EQ(target->deliver({event("1"), event("2"), event("3"), event("4")}).size(), 3u);
  server_.reset();
  const auto deliveries = target->deliver({event("1"), event("2"), event("3"), event("4")});
  EXPECT_EQ(deliveries.size(), 3u);
  EXPECT_EQ(deliveries[0].told, Told::failed);
  EXPECT_NE(deliveries[0].why, "");
}

TEST_F(WebhookTargetTest, FromTheJournalToTheServer) {
  environment_["HOOK"] = "open-sesame";
  for (int seq = 1; seq <= 20; ++seq) {
    write("r" + std::to_string(seq % 3), seq);
  }
  set_status(500);
  start_with(contract("  - {to: webhook, url: \"" + url() + "\", secret_env: HOOK}\n"), options());
  ASSERT_TRUE(eventually([&] { return counts().failures >= 3; }));
  set_status(200);
  take_heard();
  ASSERT_TRUE(in_time([&] { return counts().published == 20; }));
  std::map<int, int> last;
  for (const auto& each : take_heard()) {
    const int seq = std::stoi(each.headers.at("webhook-id"));
    EXPECT_GT(seq, last[seq % 3]);
    last[seq % 3] = seq;
    // Those who get it can prove where it comes from.
    std::string signature = "v1,";
    append_base64(signature,
                  http::bytes_of(http::HmacKey("open-sesame")
                                     .sign(each.headers.at("webhook-id") + "." +
                                           each.headers.at("webhook-timestamp") + "." + each.body)));
    EXPECT_EQ(each.headers.at("webhook-signature"), signature);
  }
  EXPECT_EQ(last.size(), 3u);
}

}  // namespace
}  // namespace waybill::event
