// What workers hear of the jobs API, and how long they go on asking.
#include "client/jobs_client.h"

#include <gtest/gtest.h>

#include "local_server.h"

namespace waybill::client {
namespace {

const SystemClock system_clock;

Connection connection_to(const std::string& url) {
  Connection connection;
  connection.endpoint = url;
  connection.key = {"any", "any"};
  connection.actor = "text@here-1";
  connection.clock = &system_clock;
  return connection;
}

const Served texts{"text-analyzer", "file", "text", {}, {}, false};
constexpr const char* claimed =
    R"({"jobs":[{"id":"a,b/c:d","record":{"s3Key":"k","count":7},"lease":{"token":"T","fence":1,"until":"x"},)"
    R"("attempt":2,"message":{}}]})";

TEST(JobsClient, ClaimsAndSpeaksOfTheJob) {
  LocalServer server([](const SeenRequest& request) {
    return answer_with(200, request.target.ends_with(":claim") ? claimed : R"({"gave_up":true})");
  });
  auto client = *JobsClient::open(connection_to(server.url()));
  const auto job = client.claim(texts, {.worker = "w"}, {});
  ASSERT_TRUE(job) << job.error().message;
  ASSERT_TRUE(*job);
  EXPECT_EQ((*job)->id(), "a,b/c:d");
  EXPECT_EQ((*job)->attempt(), 2);
  EXPECT_EQ((*job)->text("s3Key"), "k");
  EXPECT_EQ((*job)->text("count"), "");
  EXPECT_EQ((*job)->integer("count"), 7);
  EXPECT_TRUE(client.heartbeat(**job, 30));
  EXPECT_TRUE(client.progress(**job, R"({"a":1})"));
  EXPECT_TRUE(client.step(**job, "0", "", R"({"credits":2})"));
  EXPECT_TRUE(client.finish(**job, ""));
  const auto gave_up = client.fail(**job, {"CODE", "why", false});
  ASSERT_TRUE(gave_up);
  EXPECT_TRUE(*gave_up);
  const auto seen = server.seen();
  ASSERT_EQ(seen.size(), 6U);
  EXPECT_EQ(seen[0].target, "/v1/text-analyzer/file:claim");
  EXPECT_EQ(seen[0].body, R"({"worker":"w","wait_s":20,"lease_s":30})");
  EXPECT_EQ(seen[0].headers.at("waybill-actor"), "text@here-1");
  EXPECT_EQ(seen[1].target, "/v1/text-analyzer/file/a%2Cb%2Fc%3Ad:heartbeat");
  EXPECT_EQ(seen[1].body, R"({"lease":"T","lease_s":30})");
  EXPECT_EQ(seen[2].body, R"({"lease":"T","fields":{"a":1}})");
  EXPECT_EQ(seen[3].body, R"({"lease":"T","step":0,"spend":{"credits":2}})");
  EXPECT_EQ(seen[4].body, R"({"lease":"T"})");
  EXPECT_EQ(seen[5].body, R"({"lease":"T","code":"CODE","message":"why","retry":false})");
}

TEST(JobsClient, NoWorkIsNoError) {
  LocalServer server([](const SeenRequest&) { return answer_with(200, R"({"jobs":[]})"); });
  auto client = *JobsClient::open(connection_to(server.url()));
  const auto job = client.claim(texts, {}, {});
  ASSERT_TRUE(job);
  EXPECT_FALSE(*job);
}

TEST(JobsClient, ProblemsBecomeKinds) {
  const auto kind = [](int status, const std::string& name) {
    return read_problem(status, R"({"type":"urn:x-waybill:/problems/)" + name + R"(","detail":"so"})").kind;
  };
  EXPECT_EQ(kind(409, "lease-lost"), ErrorKind::lease_lost);
  EXPECT_EQ(kind(409, "conflict"), ErrorKind::condition_failed);
  EXPECT_EQ(kind(422, "invalid"), ErrorKind::invalid);
  EXPECT_EQ(kind(500, "internal"), ErrorKind::unavailable);
  EXPECT_EQ(read_problem(409, R"({"type":"x/conflict","detail":"so"})").message, "so");
  EXPECT_EQ(read_problem(502, "<html>").kind, ErrorKind::unavailable);
  EXPECT_EQ(read_problem(502, "<html>").message, "the server answers with status 502");
}

TEST(JobsClient, TriesAgainWhatMayPass) {
  int calls = 0;
  LocalServer server([&](const SeenRequest& request) {
    if (request.target.ends_with(":claim")) {
      return answer_with(200, claimed);
    }
    return ++calls < 3 ? answer_with(503, "{}") : answer_with(200, "{}");
  });
  auto client = *JobsClient::open(connection_to(server.url()));
  const auto job = client.claim(texts, {}, {});
  ASSERT_TRUE(job && *job);
  EXPECT_FALSE(client.finish(**job, "")) << "without patience once is all";
  EXPECT_TRUE(client.finish(**job, "", {.stop = {}, .patience_ms = 5'000}));
  EXPECT_EQ(calls, 3);
}

TEST(JobsClient, WhatIsRefusedIsNotTriedAgain) {
  int calls = 0;
  LocalServer server([&](const SeenRequest& request) {
    if (request.target.ends_with(":claim")) {
      return answer_with(200, claimed);
    }
    ++calls;
    return answer_with(409, R"({"type":"urn:x-waybill:/problems/lease-lost"})");
  });
  auto client = *JobsClient::open(connection_to(server.url()));
  const auto job = client.claim(texts, {}, {});
  ASSERT_TRUE(job && *job);
  const auto finished = client.finish(**job, "", {.stop = {}, .patience_ms = 60'000});
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().kind, ErrorKind::lease_lost);
  EXPECT_EQ(calls, 1);
}

TEST(Served, ReadsWhatContractsSay) {
  const auto served = read_served(
      R"({"contracts":[{"name":"c","version":1,"table":"t","records":[{"name":"plain","id":["a"]},)"
      R"({"name":"r","id":["a"],"queue":"q","trace":["correlationId"],"retries":true,)"
      R"("built_in":{"worker":"image","with":{"original":"up/{id}"}}}]}]})");
  ASSERT_TRUE(served);
  ASSERT_EQ(served->size(), 1U);
  EXPECT_EQ(served->front(), (Served{"c", "r", "image", {{"original", "up/{id}"}}, {"correlationId"}, true}));
  EXPECT_FALSE(read_served("<html>"));
  EXPECT_FALSE(read_served("[]"));
}

}  // namespace
}  // namespace waybill::client
