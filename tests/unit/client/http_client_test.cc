// What is sent to other servers, and how soon it can be stopped: leases are lost by those who are not.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <thread>

#include "base/clock.h"
#include "http/client.h"
#include "http/sign_request.h"
#include "http/signature.h"
#include "local_server.h"

namespace waybill {
namespace {

struct TemporaryFile {
  std::FILE* file = std::tmpfile();
  ~TemporaryFile() { std::fclose(file); }
  int number() const { return ::fileno(file); }
  void write(const std::string& text) {
    ASSERT_EQ(::pwrite(number(), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  }
};

TEST(HttpClient, SendsAFileAndTellsHeaders) {
  LocalServer server([](const SeenRequest&) {
    auto response = answer_with(200, "done");
    response.headers.emplace_back("ETag", "\"abc\"");
    return response;
  });
  TemporaryFile file;
  const std::string content(3'000'000, 'x');
  file.write(content);
  auto client = *http::Client::open({});
  http::ClientRequest request;
  request.method = "PUT";
  request.url = server.url() + "/a/../b%20c";
  request.file = http::FileBody{file.number(), static_cast<int64_t>(content.size())};
  const auto answer = client->send(request);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->header("etag"), "\"abc\"");
  EXPECT_EQ(answer->header("x-nothing"), "");
  ASSERT_EQ(server.seen().size(), 1U);
  EXPECT_EQ(server.seen()[0].body, content);
  EXPECT_EQ(server.seen()[0].target, "/a/../b%20c") << "names of objects are sent as they are";
}

TEST(HttpClient, AFileThatIsTooShortIsNoWholeBody) {
  LocalServer server([](const SeenRequest&) { return answer_with(200, ""); });
  TemporaryFile file;
  file.write("abc");
  auto client = *http::Client::open({});
  http::ClientRequest request;
  request.method = "PUT";
  request.url = server.url() + "/a";
  request.file = http::FileBody{file.number(), 100};
  const auto answer = client->send(request);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, ErrorKind::unavailable);
  EXPECT_EQ(answer.error().message, "the file could not be read to its end");
  EXPECT_TRUE(server.seen().empty());
}

// A port of this machine where the kernel takes connections and nobody answers them.
class SilentPort {
 public:
  SilentPort() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof(address);
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(socket_, any, length), 0);
    EXPECT_EQ(::listen(socket_, 1), 0);
    EXPECT_EQ(::getsockname(socket_, any, &length), 0);
    url_ = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/";
  }
  ~SilentPort() { ::close(socket_); }
  SilentPort(const SilentPort&) = delete;
  SilentPort& operator=(const SilentPort&) = delete;

  const std::string& url() const { return url_; }

 private:
  const int socket_;
  std::string url_;
};

TEST(HttpClient, ARequestIsStoppedAtOnce) {
  const SilentPort silent;
  auto client = *http::Client::open({.connect_ms = 60'000, .answer_ms = 60'000});
  std::stop_source stop;
  http::ClientRequest request;
  request.url = silent.url();
  request.stop = stop.get_token();
  const SystemClock clock;
  const int64_t begun_ms = clock.steady_ms();
  std::thread stopper([&] { stop.request_stop(); });
  const auto answer = client->send(request);
  stopper.join();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, ErrorKind::unavailable);
  EXPECT_LT(clock.steady_ms() - begun_ms, 900);
}

TEST(HttpClient, HeadHasNoBody) {
  LocalServer server(
      [](const SeenRequest& request) { return answer_with(request.method == "HEAD" ? 200 : 500, "12345"); });
  auto client = *http::Client::open({});
  http::ClientRequest request;
  request.method = "HEAD";
  request.url = server.url() + "/a";
  const auto answer = client->send(request);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->header("content-length"), "5");
  EXPECT_EQ(answer->body, "");
}

TEST(HttpClient, FollowTellsTheHeadBeforeTheBody) {
  LocalServer server([](const SeenRequest&) {
    auto response = answer_with(200, "content");
    response.headers.emplace_back("X-Sum", "17");
    return response;
  });
  auto client = *http::Client::open({});
  std::string told;
  http::ClientRequest request;
  request.url = server.url() + "/";
  request.on_head = [&](const http::ClientAnswer& head) {
    told += std::to_string(head.status) + " " + std::string(head.header("x-sum")) + " ";
  };
  const auto answer = client->follow(request, [&](std::string_view bytes) {
    told += bytes;
    return true;
  });
  ASSERT_TRUE(answer);
  EXPECT_EQ(told, "200 17 content");
}

// What the signer signs the verifier takes, on the wire as it is.
TEST(SignRequest, IsTakenByTheVerifier) {
  http::SignatureOptions options;
  options.keys = {{"AKID", "a secret"}};
  options.services = {"waybill"};
  const http::Verifier verifier(options);
  std::string refusal = "nothing was asked";
  auto server = *http::Server::listen({}, [&](const http::Request& request, http::Responder responder) {
    const auto principal = verifier.verify(request);
    refusal = principal ? "" : principal.error().message;
    responder.send({});
  });
  auto client = *http::Client::open({});
  const SystemClock clock;
  http::ClientRequest request;
  request.method = "POST";
  request.url = "http://127.0.0.1:" + std::to_string(server->port()) + "/v1/c/r:claim?b=2&a=1%2F";
  request.headers = {"Content-Type: application/json", "X-Amz-Meta-Name:  two words "};
  request.body = R"({"a":1})";
  ASSERT_TRUE(
      http::sign_request(request, {{"AKID", "a secret"}, "eu-west-1", "waybill", "", clock.wall_seconds()}));
  ASSERT_TRUE(client->send(request));
  EXPECT_EQ(refusal, "");
  http::ClientRequest other = request;
  other.body = R"({"a":2})";
  ASSERT_TRUE(client->send(other));
  EXPECT_NE(refusal, "") << "another body has another signature";
}

// The example of the S3 documentation, "GET Object".
TEST(SignRequest, SignsForObjectStoresAsTheirDocumentationShows) {
  http::ClientRequest request;
  request.url = "https://examplebucket.s3.amazonaws.com/test.txt";
  ASSERT_TRUE(
      http::sign_request(request, {{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"},
                                   "us-east-1",
                                   "s3",
                                   "",
                                   1'369'353'600}));
  ASSERT_EQ(request.headers.size(), 3U);
  EXPECT_EQ(request.headers[0], "X-Amz-Date: 20130524T000000Z");
  EXPECT_EQ(request.headers[1],
            "X-Amz-Content-Sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_TRUE(request.headers[2].starts_with(
      "Authorization: AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
      "SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature="));
}

}  // namespace
}  // namespace waybill
