// The wire as clients see it: keep-alive, pipelining, chunked bodies, 100-continue, compression.
#include "http/server.h"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <string>

#include "http/raw_client.h"

namespace waybill::http {
namespace {

// Says what was received. Paths: /big a body of 1 MiB; /plain "text"; /empty status 204; else method and
// body.
void echo(const Request& request, Responder responder) {
  Response response;
  response.content_type = "application/x-amz-json-1.0";
  if (request.path == "/big") {
    response.body.assign(1024 * 1024, 'b');
  } else if (request.path == "/repeat") {
    response.body.assign(2000, 'r');
  } else if (request.path == "/empty") {
    response.status = 204;
  } else {
    response.body = std::string(request.method) + " " + std::string(request.target) + " ";
    response.body.append(request.body);
  }
  if (request.has_header("x-want-extras")) {
    response.request_id = "THEREQUESTID";
    response.amz_crc32 = true;
    response.headers.emplace_back("X-Extra", "one\r\ntwo");
  }
  response.close = request.has_header("x-want-close");
  responder.send(std::move(response));
}

class ServerTest : public testing::Test {
 protected:
  ServerTest() {
    auto listening = Server::listen(ServerOptions{}, echo);
    server_ = *std::move(listening);
  }
  RawClient connect() { return RawClient(server_->port()); }

  std::unique_ptr<Server> server_;
};

std::string compressed(const std::string& text, bool gzip) {
  libdeflate_compressor* const compressor = libdeflate_alloc_compressor(6);
  std::string out(text.size() + 1000, '\0');
  const auto compress = gzip ? libdeflate_gzip_compress : libdeflate_zlib_compress;
  out.resize(compress(compressor, text.data(), text.size(), out.data(), out.size()));
  libdeflate_free_compressor(compressor);
  return out;
}

std::string gunzipped(const std::string& bytes, std::size_t size) {
  libdeflate_decompressor* const decompressor = libdeflate_alloc_decompressor();
  std::string out(size, '\0');
  const auto result =
      libdeflate_gzip_decompress(decompressor, bytes.data(), bytes.size(), out.data(), out.size(), nullptr);
  libdeflate_free_decompressor(decompressor);
  return result == LIBDEFLATE_SUCCESS ? out : "damaged";
}

TEST_F(ServerTest, AnswersAndKeepsTheConnection) {
  RawClient client = connect();
  for (int i = 0; i < 3; ++i) {
    const Answer answer = client.exchange(post("hello"));
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "POST / hello");
    EXPECT_EQ(answer.headers.at("Server"), "Waybill");
    EXPECT_EQ(answer.headers.at("Content-Type"), "application/x-amz-json-1.0");
    EXPECT_EQ(answer.headers.at("Date").size(), 29u);
    EXPECT_EQ(answer.headers.count("Connection"), 0u);
  }
  EXPECT_EQ(server_->connection_count(), 1u);
}

TEST_F(ServerTest, SendsRequestIdCrcAndFurtherHeaders) {
  RawClient client = connect();
  const Answer answer = client.exchange(post("hello", "X-Want-Extras: 1\r\n"));
  EXPECT_EQ(answer.headers.at("x-amzn-RequestId"), "THEREQUESTID");
  EXPECT_EQ(answer.headers.at("X-Extra"), "one  two");
  EXPECT_EQ(answer.headers.at("x-amz-crc32"),
            std::to_string(libdeflate_crc32(0, answer.body.data(), answer.body.size())));
}

TEST_F(ServerTest, AnswersPipelinedRequestsInOrder) {
  RawClient client = connect();
  std::string requests;
  for (int i = 0; i < 500; ++i) {
    requests += post("number " + std::to_string(i));
  }
  ASSERT_TRUE(client.send(requests));
  for (int i = 0; i < 500; ++i) {
    EXPECT_EQ(client.read().body, "POST / number " + std::to_string(i));
  }
}

TEST_F(ServerTest, AnswersPipelinedRequestsAroundLargeAnswers) {
  RawClient client = connect();
  const std::string big = "GET /big HTTP/1.1\r\nHost: a\r\n\r\n";
  ASSERT_TRUE(client.send(post("1") + big + post("2") + big + big + post("3")));
  EXPECT_EQ(client.read().body, "POST / 1");
  EXPECT_EQ(client.read().body.size(), 1024u * 1024);
  EXPECT_EQ(client.read().body, "POST / 2");
  EXPECT_EQ(client.read().body.size(), 1024u * 1024);
  EXPECT_EQ(client.read().body.size(), 1024u * 1024);
  EXPECT_EQ(client.read().body, "POST / 3");
}

TEST_F(ServerTest, TakesRequestsByteByByte) {
  RawClient client = connect();
  for (const char c : "\r\n" + post("slow")) {
    ASSERT_TRUE(client.send(std::string_view(&c, 1)));
  }
  EXPECT_EQ(client.read().body, "POST / slow");
}

TEST_F(ServerTest, TakesBodiesLargerThanItsBuffers) {
  RawClient client = connect();
  for (const std::size_t size : {4000, 5000, 70'000, 300'000, 2'000'000, 10}) {
    const std::string body(size, 'x');
    const std::string head =
        "POST /p?q HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n";
    EXPECT_EQ(client.exchange(head + body).body, "POST /p?q " + body);
  }
}

TEST_F(ServerTest, TakesChunkedBodies) {
  RawClient client = connect();
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(client.exchange(head + "2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\nT: u\r\n\r\n" + post("next")).body,
            "POST / hello");
  EXPECT_EQ(client.read().body, "POST / next");
  const std::string large(300'000, 'x');
  EXPECT_EQ(client.exchange(head + "493e0\r\n" + large + "\r\n0\r\n\r\n").body, "POST / " + large);
  std::string tiny = head;
  for (int i = 0; i < 20'000; ++i) {
    tiny += "1\r\ny\r\n";
  }
  EXPECT_EQ(client.exchange(tiny + "0\r\n\r\n").body, "POST / " + std::string(20'000, 'y'));
}

TEST_F(ServerTest, AsksForABodyThatIsHeldBack) {
  RawClient client = connect();
  client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read(true).status, 100);
  EXPECT_EQ(client.exchange("hello").body, "POST / hello");
  client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read().status, 413);
}

TEST_F(ServerTest, DoesNotAskForABodyThatIsThere) {
  RawClient client = connect();
  EXPECT_EQ(client.exchange(post("hello", "Expect: 100-continue\r\n")).status, 200);
}

TEST_F(ServerTest, AnswersHeadWithoutBody) {
  RawClient client = connect();
  client.send("HEAD /x HTTP/1.1\r\nHost: a\r\n\r\n");
  const Answer answer = client.read(true);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.headers.at("Content-Length"), "8");
  EXPECT_EQ(client.exchange(post("next")).body, "POST / next");
}

TEST_F(ServerTest, AnswersWithoutContent) {
  RawClient client = connect();
  const Answer answer = client.exchange("GET /empty HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(answer.status, 204);
  EXPECT_EQ(answer.headers.count("Content-Length"), 0u);
  EXPECT_EQ(client.exchange(post("next")).body, "POST / next");
}

TEST_F(ServerTest, ClosesWhereAskedTo) {
  for (const std::string& request : {post("x", "Connection: close\r\n"), post("x", "X-Want-Close: 1\r\n"),
                                     std::string("GET / HTTP/1.0\r\n\r\n")}) {
    RawClient client = connect();
    const Answer answer = client.exchange(request);
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.headers.at("Connection"), "close");
    EXPECT_TRUE(client.reads_end());
  }
}

TEST_F(ServerTest, KeepsHttp10ConnectionsWhereAskedTo) {
  RawClient client = connect();
  for (int i = 0; i < 2; ++i) {
    const Answer answer = client.exchange("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.headers.at("Connection"), "keep-alive");
  }
}

TEST_F(ServerTest, ClosesAfterARequestItCannotFrame) {
  for (const std::string request :
       {"GET / HTTP/1.1\n\n", "GET / HTTP/1.1\r\n\r\n", "\x16\x03\x01\r\n\r\n", "\r\n\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n\r\n"}) {
    RawClient client = connect();
    const Answer answer = client.exchange(request + post("never seen"));
    EXPECT_EQ(answer.status, 400) << request;
    EXPECT_EQ(answer.headers.at("Connection"), "close");
    EXPECT_TRUE(client.reads_end());
  }
}

TEST_F(ServerTest, UndoesContentEncoding) {
  RawClient client = connect();
  const std::string text(100'000, 'z');
  for (const bool gzip : {true, false}) {
    const std::string coding = gzip ? "Content-Encoding: gzip\r\n" : "Content-Encoding: deflate\r\n";
    EXPECT_EQ(client.exchange(post(compressed(text, gzip), coding)).body, "POST / " + text);
  }
  EXPECT_EQ(client.exchange(post("", "Content-Encoding: gzip\r\n")).body, "POST / ");
}

TEST_F(ServerTest, RefusesDamagedContentEncoding) {
  const std::string good = compressed(std::string(1000, 'z'), true);
  std::string flipped = good;
  flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 1);
  std::string lying = good;
  lying[lying.size() - 4] = 1;
  for (const std::string& body :
       {std::string("x"), flipped, lying, good + "x", good + good, good.substr(0, good.size() - 1)}) {
    EXPECT_EQ(connect().exchange(post(body, "Content-Encoding: gzip\r\n")).status, 400);
  }
  EXPECT_EQ(connect().exchange(post("x", "Content-Encoding: br\r\n")).status, 415);
}

TEST_F(ServerTest, RefusesCompressedBodiesThatAreTooLarge) {
  const std::string bomb(20 * 1024 * 1024, '\0');
  EXPECT_EQ(connect().exchange(post(compressed(bomb, true), "Content-Encoding: gzip\r\n")).status, 413);
  EXPECT_EQ(connect().exchange(post(compressed(bomb, false), "Content-Encoding: deflate\r\n")).status, 413);
}

TEST_F(ServerTest, CompressesAnswersOnRequest) {
  RawClient client = connect();
  const std::string head = " HTTP/1.1\r\nHost: a\r\nX-Want-Extras: 1\r\nAccept-Encoding: gzip\r\n\r\n";
  const Answer answer = client.exchange("GET /repeat" + head);
  EXPECT_EQ(answer.headers.at("Content-Encoding"), "gzip");
  EXPECT_LT(answer.body.size(), 200u);
  EXPECT_EQ(gunzipped(answer.body, 2000), std::string(2000, 'r'));
  EXPECT_EQ(answer.headers.at("x-amz-crc32"),
            std::to_string(libdeflate_crc32(0, answer.body.data(), answer.body.size())));
  EXPECT_EQ(client.exchange("GET /short" + head).headers.count("Content-Encoding"), 0u);
}

TEST(ServerStart, FailsWhereTheAddressCannotBeHad) {
  ServerOptions options;
  options.host = "not an address";
  EXPECT_FALSE(Server::listen(options, echo));
  options.host = "localhost";
  auto first = Server::listen(options, echo);
  ASSERT_TRUE(first);
  options.port = (*first)->port();
  const auto second = Server::listen(options, echo);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("Address already in use"), std::string::npos);
}

}  // namespace
}  // namespace waybill::http
