// Clients that are slow, large or many: each limit has an end on both sides.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "http/raw_client.h"
#include "http/server.h"

namespace waybill::http {
namespace {

void answer_size(const Request& request, Responder responder) {
  Response response;
  response.body =
      request.path == "/big" ? std::string(32 * 1024 * 1024, 'b') : std::to_string(request.body.size());
  responder.send(std::move(response));
}

// Small limits, and a clock that the test moves.
class LimitsTest : public testing::Test {
 protected:
  LimitsTest() {
    options_.clock = &clock_;
    options_.header_bytes_max = 1000;
    options_.body_bytes_max = 100'000;
    options_.header_timeout_ms = 1'000;
    options_.idle_timeout_ms = 6'000;
    options_.body_grace_ms = 500;
    options_.write_timeout_ms = 3'000;
  }

  RawClient connect() {
    if (server_ == nullptr) {
      server_ = *Server::listen(options_, answer_size);
    }
    return RawClient(server_->port());
  }

  bool wait_for_connections(std::size_t count) {
    for (int i = 0; i < 5000 && server_->connection_count() != count; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return server_->connection_count() == count;
  }

  ManualClock clock_{1'700'000'000'000};
  ServerOptions options_;
  std::unique_ptr<Server> server_;
};

std::string get_with_head_of(std::size_t bytes) {
  const std::string start = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
  return start + std::string(bytes - start.size() - 4, 'x') + "\r\n\r\n";
}

TEST_F(LimitsTest, HeadBytes) {
  EXPECT_EQ(connect().exchange(get_with_head_of(1000)).status, 200);
  EXPECT_EQ(connect().exchange(get_with_head_of(1001)).status, 431);
  EXPECT_EQ(connect().exchange(std::string(1001, 'x')).status, 431);
}

TEST_F(LimitsTest, LargeHeads) {
  options_.header_bytes_max = 16 * 1024;
  EXPECT_EQ(connect().exchange(get_with_head_of(16 * 1024)).status, 200);
  EXPECT_EQ(connect().exchange(get_with_head_of(16 * 1024 + 1)).status, 431);
}

TEST_F(LimitsTest, BodyBytes) {
  EXPECT_EQ(connect().exchange(post(std::string(100'000, 'x'))).body, "100000");
  EXPECT_EQ(connect().exchange(post(std::string(100'001, 'x'))).status, 413);
}

TEST_F(LimitsTest, ChunkedBodyBytes) {
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(connect().exchange(head + "186a0\r\n" + std::string(100'000, 'x') + "\r\n0\r\n\r\n").body,
            "100000");
  EXPECT_EQ(connect().exchange(head + "186a1\r\n" + std::string(100'001, 'x') + "\r\n0\r\n\r\n").status, 413);
}

TEST_F(LimitsTest, RefusalsReachClientsThatAreStillSending) {
  RawClient client = connect();
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 50000000\r\n\r\n";
  std::thread sending([&client, &head] { client.send(head + std::string(50'000'000, 'x')); });
  EXPECT_EQ(client.read().status, 413);
  ::shutdown(client.socket(), SHUT_RDWR);
  sending.join();
}

TEST_F(LimitsTest, MemoryOfAllBodies) {
  options_.bodies_bytes_max = 150'000;
  RawClient first = connect();
  first.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nx");
  RawClient second = connect();
  while (second.exchange(post("x")).status == 200) {  // until the server has taken in the first
    RawClient probe = connect();
    const Answer answer = probe.exchange(post(std::string(90'000, 'x')));
    if (answer.status == 503) {
      EXPECT_EQ(answer.headers.at("Retry-After"), "1");
      break;
    }
  }
  EXPECT_EQ(first.exchange(std::string(99'999, 'x')).body, "100000");
  EXPECT_EQ(connect().exchange(post(std::string(90'000, 'x'))).status, 200);
}

TEST_F(LimitsTest, Connections) {
  options_.connections_max = 2;
  RawClient first = connect();
  RawClient second = connect();
  EXPECT_EQ(first.exchange(post("x")).status, 200);
  EXPECT_EQ(second.exchange(post("x")).status, 200);
  RawClient third = connect();
  EXPECT_EQ(third.read().status, 503);
  first.close();
  ASSERT_TRUE(wait_for_connections(1));
  EXPECT_EQ(connect().exchange(post("x")).status, 200);
}

TEST_F(LimitsTest, IdleTime) {
  RawClient client = connect();
  EXPECT_EQ(client.exchange(post("x")).status, 200);
  clock_.advance_ms(6'000);
  EXPECT_EQ(client.exchange(post("x")).status, 200);
  clock_.advance_ms(6'001);
  EXPECT_TRUE(client.reads_end());
}

TEST_F(LimitsTest, IdleConnectionsGiveTheirMemoryBackAndStillWork) {
  RawClient client = connect();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(client.exchange(post("x")).status, 200);
    clock_.advance_ms(1'500);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));  // for a sweep on the machine's own time
  }
  EXPECT_EQ(client.exchange(post("xy")).body, "2");
}

TEST_F(LimitsTest, HeadTime) {
  RawClient client = connect();
  client.send("POST / HTTP/1.1\r\nHost");
  RawClient other = connect();
  EXPECT_EQ(other.exchange(post("x")).status, 200);  // so the first has been read, too
  clock_.advance_ms(1'001);
  EXPECT_EQ(client.read().status, 408);
  EXPECT_TRUE(client.reads_end());
}

TEST_F(LimitsTest, BodyRate) {
  RawClient slow = connect();
  slow.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n");
  RawClient fast = connect();
  fast.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n" + std::string(2000, 'x'));
  EXPECT_EQ(connect().exchange(post("x")).status, 200);
  clock_.advance_ms(1'500);
  EXPECT_EQ(slow.read().status, 408);
  EXPECT_EQ(fast.exchange(std::string(3000, 'x')).body, "5000");
}

// The read under way must not outlive the memory it was given.
TEST_F(LimitsTest, LargeBodiesThatStall) {
  RawClient client = connect();
  client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n\r\n" + std::string(40'000, 'x'));
  EXPECT_EQ(connect().exchange(post("x")).status, 200);
  clock_.advance_ms(60'000);
  EXPECT_EQ(client.read().status, 408);
  client.send(std::string(40'000, 'x'));
  EXPECT_TRUE(client.reads_end());
  ::shutdown(client.socket(), SHUT_WR);
  client.close();
  EXPECT_EQ(connect().exchange(post("x")).status, 200);
}

TEST_F(LimitsTest, ClientsThatDoNotTakeTheirAnswers) {
  RawClient client = connect();
  client.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_EQ(connect().exchange(post("x")).status, 200);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  clock_.advance_ms(3'001);
  EXPECT_TRUE(wait_for_connections(0));
}

TEST_F(LimitsTest, FileDescriptorsRunOutWithoutSpinning) {
  RawClient before = connect();
  ASSERT_EQ(before.exchange(post("x")).status, 200);
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &old), 0);
  std::vector<int> taken;
  rlimit few = old;
  few.rlim_cur = 200;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  for (int descriptor = dup(0); descriptor >= 0; descriptor = dup(0)) {
    taken.push_back(descriptor);
  }
  close(taken.back());
  taken.pop_back();
  RawClient waiting = connect();  // takes the last one: the server has none for its own end
  waiting.send(post("x"));
  const clock_t cpu = clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_LT(clock() - cpu, CLOCKS_PER_SEC / 10);
  EXPECT_EQ(before.exchange(post("x")).status, 200);
  for (const int descriptor : taken) {
    close(descriptor);
  }
  EXPECT_EQ(waiting.read().status, 200);
  setrlimit(RLIMIT_NOFILE, &old);
}

std::size_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t pages = 0;
  statm >> pages >> pages;
  return pages * 4096;
}

// Ten thousand where the system allows so many: both ends of each connection are in this process.
TEST_F(LimitsTest, IdleConnectionsCostLittle) {
  rlimit old{};
  getrlimit(RLIMIT_NOFILE, &old);
  rlimit many = old;
  many.rlim_cur = std::min<rlim_t>(old.rlim_max, 20'200);
  setrlimit(RLIMIT_NOFILE, &many);
  const std::size_t count = (many.rlim_cur - 200) / 2;
  std::vector<RawClient> clients;
  clients.reserve(count);
  clients.push_back(connect());
  EXPECT_EQ(clients.back().exchange(post("x")).status, 200);
  const std::size_t before = resident_bytes();
  while (clients.size() < count) {
    clients.push_back(connect());
    if (clients.size() % 2 == 0) {  // half of them have been used and fell idle
      ASSERT_EQ(clients.back().exchange(post("x")).status, 200);
    }
  }
  ASSERT_TRUE(wait_for_connections(count));
  clock_.advance_ms(2'000);
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  const std::size_t each = (resident_bytes() - before) / count;
  RecordProperty("bytes_per_idle_connection", static_cast<int>(each));
  printf("bytes per idle connection: %zu\n", each);
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
  EXPECT_LT(each, 6'000u);
#endif
  EXPECT_EQ(clients.front().exchange(post("x")).status, 200);
  clients.clear();
  EXPECT_TRUE(wait_for_connections(0));
  setrlimit(RLIMIT_NOFILE, &old);
}

}  // namespace
}  // namespace waybill::http
