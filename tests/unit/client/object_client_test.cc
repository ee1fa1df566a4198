// Objects between files and a server that speaks S3: what arrives is what was sent, or nothing is there.
#include "client/object_client.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "client/arrival_check.h"
#include "local_server.h"

namespace waybill::client {
namespace {

const SystemClock system_clock;

class ObjectClientTest : public testing::Test {
 protected:
  ObjectClientTest() {
    path_ = testing::TempDir() + "object_client_test_" + std::to_string(::getpid());
    std::filesystem::remove(path_);
  }
  ~ObjectClientTest() override { std::filesystem::remove(path_); }

  static ObjectClient client_of(const LocalServer& server) {
    Connection connection;
    connection.endpoint = server.url();
    connection.key = {"any", "any"};
    connection.clock = &system_clock;
    return *ObjectClient::open(connection);
  }
  std::string content() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string path_;
};

http::Response object(const std::string& body, const std::string& name, const std::string& value) {
  auto response = answer_with(200, body);
  response.headers.emplace_back(name, value);
  return response;
}

TEST_F(ObjectClientTest, GetsWhatHasItsChecksum) {
  LocalServer server([](const SeenRequest& request) {
    return request.target == "/b/crc" ? object("123456789", "x-amz-checksum-crc32", "y/Q5Jg==")
                                      : object("123456789", "ETag", "\"25f9e794323b453885f5181f1b624d0b\"");
  });
  auto client = client_of(server);
  for (const char* key : {"crc", "md5"}) {
    const auto info = client.get({"b", key}, path_);
    ASSERT_TRUE(info) << info.error().message;
    EXPECT_EQ(info->bytes, 9);
    EXPECT_EQ(content(), "123456789");
  }
  EXPECT_EQ(server.seen()[0].headers.at("x-amz-checksum-mode"), "ENABLED");
}

TEST_F(ObjectClientTest, WhatIsDamagedIsAskedForAgain) {
  int calls = 0;
  LocalServer server([&](const SeenRequest&) {
    return object(++calls == 1 ? "damaged!!" : "123456789", "x-amz-checksum-crc32", "y/Q5Jg==");
  });
  auto client = client_of(server);
  ASSERT_TRUE(client.get({"b", "k"}, path_, {}, {.stop = {}, .patience_ms = 5'000}));
  EXPECT_EQ(content(), "123456789");
  EXPECT_EQ(calls, 2);
}

TEST_F(ObjectClientTest, NothingIsLeftOfWhatFails) {
  LocalServer server([&](const SeenRequest& request) {
    return request.target == "/b/large" ? answer_with(200, std::string(100, 'x'))
                                        : answer_with(404, "<Error><Code>NoSuchKey</Code></Error>");
  });
  auto client = client_of(server);
  const auto missing = client.get({"b", "k"}, path_);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::not_found);
  EXPECT_EQ(missing.error().message, "s3://b/k: status 404 NoSuchKey");
  EXPECT_FALSE(std::filesystem::exists(path_));
  const auto large = client.get({"b", "large"}, path_, {.bytes_max = 99});
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().kind, ErrorKind::too_large);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

// Keeps what it takes, and can be made to take no more.
struct Kept final : ByteTaker {
  Status begin() override {
    ++beginnings;
    bytes.clear();
    return {};
  }
  Status take(std::string_view piece) override {
    bytes += piece;
    return refusal ? Status(*refusal) : Status();
  }

  int beginnings = 0;
  std::string bytes;
  std::optional<Error> refusal;
};

TEST_F(ObjectClientTest, HandsOverWhatComes) {
  const std::string large(3'000'000, 'x');
  LocalServer server([&](const SeenRequest& request) {
    return request.target == "/b/empty" ? answer_with(200, "") : answer_with(200, large);
  });
  auto client = client_of(server);
  Kept kept;
  const auto info = client.read({"b", "k"}, kept);
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(info->bytes, 3'000'000);
  EXPECT_EQ(kept.bytes, large);
  EXPECT_EQ(kept.beginnings, 1);
  ASSERT_TRUE(client.read({"b", "empty"}, kept));
  EXPECT_EQ(kept.bytes, "");
  EXPECT_EQ(kept.beginnings, 2);
}

TEST_F(ObjectClientTest, WhatWasDamagedBeginsAnew) {
  int calls = 0;
  LocalServer server([&](const SeenRequest&) {
    return ++calls == 1 ? object("damaged!!", "x-amz-checksum-crc32", "y/Q5Jg==")
           : calls == 2 ? answer_with(503, "")
                        : object("123456789", "x-amz-checksum-crc32", "y/Q5Jg==");
  });
  auto client = client_of(server);
  Kept kept;
  ASSERT_TRUE(client.read({"b", "k"}, kept, {}, {.stop = {}, .patience_ms = 5'000}));
  EXPECT_EQ(kept.bytes, "123456789");
  EXPECT_EQ(kept.beginnings, 3);
}

TEST_F(ObjectClientTest, ATakerMayEndIt) {
  LocalServer server([](const SeenRequest&) { return answer_with(200, std::string(3'000'000, 'x')); });
  auto client = client_of(server);
  Kept kept;
  kept.refusal = Error{ErrorKind::internal, "enough", {}};
  const auto info = client.read({"b", "k"}, kept, {}, {.stop = {}, .patience_ms = 5'000});
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().message, "enough");
  EXPECT_EQ(kept.beginnings, 1);
  EXPECT_LT(kept.bytes.size(), 3'000'000U);
  kept.refusal.reset();
  EXPECT_EQ(client.read({"b", "k"}, kept, {.bytes_max = 99}).error().kind, ErrorKind::too_large);
}

TEST_F(ObjectClientTest, PutsWithChecksumAndSignature) {
  std::ofstream(path_) << "123456789";
  LocalServer server([](const SeenRequest&) { return object("", "ETag", "\"e\""); });
  auto client = client_of(server);
  const auto info = client.put({"b", "a b/ü.txt"}, path_, {.content_type = "text/plain"});
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(info->etag, "e");
  EXPECT_EQ(info->bytes, 9);
  const auto seen = server.seen().at(0);
  EXPECT_EQ(seen.method, "PUT");
  EXPECT_EQ(seen.target, "/b/a%20b/%C3%BC.txt");
  EXPECT_EQ(seen.body, "123456789");
  EXPECT_EQ(seen.headers.at("content-type"), "text/plain");
  EXPECT_EQ(seen.headers.at("x-amz-content-sha256"),
            "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225");
  EXPECT_EQ(seen.headers.at("x-amz-checksum-sha256"), "FeKw08M4keuw8e9gnsQZQgwg4yDOlMZfvIwzEkSOsiU=");
  EXPECT_NE(seen.headers.at("authorization").find("/s3/aws4_request"), std::string::npos);
}

TEST_F(ObjectClientTest, HeadsAndMakesBuckets) {
  LocalServer server([](const SeenRequest& request) {
    return request.method == "HEAD" ? answer_with(200, "12345")
                                    : answer_with(409, "<Error><Code>BucketAlreadyOwnedByYou</Code></Error>");
  });
  auto client = client_of(server);
  const auto info = client.head({"b", "k"});
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_EQ(info->bytes, 5);
  EXPECT_TRUE(client.make_bucket("b"));
}

TEST(ArrivalCheck, TakesNoChecksumOfParts) {
  http::ClientAnswer head;
  head.headers = {{"x-amz-checksum-crc32", "AAAAAA==-3"}, {"etag", "\"25f9e794323b453885f5181f1b624d0b-3\""}};
  ArrivalCheck check(head);
  check.add("whatever");
  EXPECT_TRUE(check.finish());
}

TEST(ArrivalCheck, AnEtagOfSomethingElseIsNoMd5) {
  http::ClientAnswer head;
  head.headers = {{"etag", "\"25f9e794323b453885f5181f1b624d0b\""},
                  {"x-amz-server-side-encryption", "aws:kms"}};
  ArrivalCheck check(head);
  check.add("whatever");
  EXPECT_TRUE(check.finish());
}

}  // namespace
}  // namespace waybill::client
