// PutEvents to a server on this machine that checks the signature as we check those of others.
#include "event/eventbridge_target.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "event/fixture.h"
#include "http/server.h"
#include "http/signature.h"

namespace waybill::event {
namespace {

struct Put {
  std::string source;
  std::string type;
  std::string detail;
  std::string bus;
  int64_t time = 0;
};

class EventBridgeTargetTest : public EventTest {
 protected:
  EventBridgeTargetTest() {
    http::SignatureOptions signing;
    signing.clock = &clock_;
    signing.keys = {{"AKID", "a secret"}};
    signing.services = {"events"};
    signing.region = "eu-central-1";
    verifier_ = std::make_unique<http::Verifier>(std::move(signing));
    server_ = *http::Server::listen({}, [this](const http::Request& request, http::Responder responder) {
      const std::lock_guard lock(mutex_);
      responder.send(answer(request));
    });
  }

  // As EventBridge answers, with the error code that a test has set for an entry's id.
  http::Response answer(const http::Request& request) {
    http::Response response;
    response.content_type = "application/x-amz-json-1.1";
    if (const auto principal = verifier_->verify(request); !principal) {
      response.status = 400;
      response.body = R"({"__type":"InvalidSignatureException","message":"no"})";
      return response;
    }
    EXPECT_EQ(request.header("x-amz-target"), "AWSEvents.PutEvents");
    EXPECT_EQ(request.header("content-type"), "application/x-amz-json-1.1");
    const auto puts = read(request.body);
    requests_.push_back(puts.size());
    if (is_wrong_ && std::ranges::any_of(puts, is_wrong_)) {
      response.status = 400;
      response.body = R"({"__type":"com.amazonaws.events#ValidationException","message":"wrong"})";
      return response;
    }
    if (status_ != 200) {
      response.status = status_;
      return response;
    }
    write_answer(response.body, puts);
    return response;
  }
  void write_answer(std::string& body, const std::vector<Put>& puts) {
    json::Writer out(body);
    out.begin_object().key("FailedEntryCount").integer(0).key("Entries").begin_array();
    for (const auto& put : puts) {
      const std::string code = code_of_ ? code_of_(put) : "";
      out.begin_object();
      if (code.empty()) {
        out.key("EventId").string("e");
        taken_.push_back(put);
      } else {
        out.key("ErrorCode").string(code).key("ErrorMessage").string("so it is");
      }
      out.end_object();
    }
    out.end_array().end_object();
  }
  static std::vector<Put> read(std::string_view body) {
    json::Parser parser;
    const auto root = parser.parse_copy(body);
    EXPECT_TRUE(root);
    std::vector<Put> puts;
    for (json::Elements entries(*root->find("Entries")); entries.next();) {
      const auto& entry = entries.value();
      puts.push_back({std::string(entry.find("Source")->string()),
                      std::string(entry.find("DetailType")->string()),
                      std::string(entry.find("Detail")->string()),
                      std::string(entry.find("EventBusName")->string()), *entry.find("Time")->integer()});
    }
    return puts;
  }

  std::string endpoint() const { return "http://127.0.0.1:" + std::to_string(server_->port()); }
  std::unique_ptr<Target> open(const std::string& secret = "a secret", const std::string& path = "") {
    return *EventBridgeTarget::open({endpoint() + path, "eu-central-1", "runs", "AKID", secret, &clock_});
  }
  static std::vector<Event> events(int count, const std::string& data = "1") {
    std::vector<Event> made;
    for (int i = 1; i <= count; ++i) {
      made.push_back(
          {std::to_string(i), "/v1/runs/run", "r" + std::to_string(i), "run_ended", 1'731'742'800'123, data});
    }
    return made;
  }
  static std::string told(const std::vector<Delivery>& deliveries) {
    std::string text;
    for (const auto& each : deliveries) {
      text += each.told == Told::taken ? 't' : each.told == Told::failed ? 'f' : 'r';
    }
    return text;
  }
  static bool is_number(const Put& put, const std::string& id) {
    return put.detail.find("\"id\":\"" + id + "\"") != std::string::npos;
  }

  std::unique_ptr<http::Verifier> verifier_;
  std::mutex mutex_;  // guards what follows
  int status_ = 200;
  std::function<std::string(const Put&)> code_of_;
  std::function<bool(const Put&)> is_wrong_;
  std::vector<std::size_t> requests_;  // how many entries each had
  std::vector<Put> taken_;
  std::unique_ptr<http::Server> server_;
};

TEST_F(EventBridgeTargetTest, PutsEventsThatAreSigned) {
  EXPECT_EQ(told(open()->deliver(events(2))), "tt");
  ASSERT_EQ(taken_.size(), 2u);
  EXPECT_EQ(taken_[0].source, "/v1/runs/run");
  EXPECT_EQ(taken_[0].type, "run_ended");
  EXPECT_EQ(taken_[0].detail, cloud_event(events(1)[0]));
  EXPECT_EQ(taken_[0].bus, "runs");
  EXPECT_EQ(taken_[0].time, 1'731'742'800);
  // Also behind a path and a query.
  EXPECT_EQ(told(open("a secret", "/some%20where/events?a=b&c")->deliver(events(1))), "t");
}

TEST_F(EventBridgeTargetTest, AWrongKeyIsTriedAgain) {
  const auto deliveries = open("another")->deliver(events(2));
  EXPECT_EQ(told(deliveries), "ff");
  EXPECT_EQ(deliveries[0].why, "status 400 InvalidSignatureException: no");
  EXPECT_TRUE(taken_.empty());
}

TEST_F(EventBridgeTargetTest, PutsTenAtATimeAndNoMoreThanFit) {
  EXPECT_EQ(told(open()->deliver(events(23))), std::string(23, 't'));
  EXPECT_EQ(requests_, std::vector<std::size_t>({10, 10, 3}));
  requests_.clear();
  EXPECT_EQ(told(open()->deliver(events(5, "\"" + std::string(100'000, 'x') + "\""))), "ttttt");
  EXPECT_EQ(requests_, std::vector<std::size_t>({2, 2, 1}));
}

TEST_F(EventBridgeTargetTest, EntriesFailOneByOne) {
  code_of_ = [](const Put& put) {
    return is_number(put, "2") ? "ThrottlingException" : is_number(put, "4") ? "MalformedDetail" : "";
  };
  const auto deliveries = open()->deliver(events(5));
  EXPECT_EQ(told(deliveries), "tftrt");
  EXPECT_EQ(deliveries[3].why, "MalformedDetail: so it is");
}

TEST_F(EventBridgeTargetTest, OneThatIsWrongDoesNotTakeTheOthersWithIt) {
  is_wrong_ = [](const Put& put) { return is_number(put, "3"); };
  EXPECT_EQ(told(open()->deliver(events(4))), "ttrt");
  EXPECT_EQ(requests_, std::vector<std::size_t>({4, 1, 1, 1, 1}));
}

TEST_F(EventBridgeTargetTest, FailsWhereTheServiceDoes) {
  for (const int status : {500, 503, 429, 403, 404}) {
    status_ = status;
    EXPECT_EQ(told(open()->deliver(events(2))), "ff") << status;
  }
  status_ = 200;
  server_.reset();
  const auto nobody = EventBridgeTarget::open({"http://127.0.0.1:1", "r", "b", "A", "B", &clock_});
  EXPECT_EQ(told((*nobody)->deliver(events(2))), "ff");
}

TEST_F(EventBridgeTargetTest, FromTheJournalToTheBus) {
  environment_ = {{"BUS_KEY", "AKID"}, {"BUS_SECRET", "a secret"}};
  int failures_left = 5;
  code_of_ = [&](const Put& put) {
    return is_number(put, "7") && failures_left-- > 0 ? "InternalFailure" : "";
  };
  for (int seq = 1; seq <= 25; ++seq) {
    write("r" + std::to_string(seq % 12), seq);
  }
  start_with(contract("  - {to: eventbridge, endpoint: \"" + endpoint() +
                      "\", region: eu-central-1, bus: \"runs-{env}\", access_key_env: BUS_KEY, "
                      "secret_key_env: BUS_SECRET}\n"),
             options());
  ASSERT_TRUE(in_time([&] { return counts().published == 25; }));
  EXPECT_EQ(counts().failures, 5u);
  const std::lock_guard lock(mutex_);
  ASSERT_EQ(taken_.size(), 25u);
  EXPECT_EQ(taken_[0].bus, "runs-dev");
  // 19 is of the same record as 7.
  const auto place = [&](const std::string& id) {
    return std::ranges::find_if(taken_, [&](const Put& put) { return is_number(put, id); });
  };
  EXPECT_LT(place("7"), place("19"));
}

}  // namespace
}  // namespace waybill::event
