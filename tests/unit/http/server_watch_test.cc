// Requests that wait for long: their handlers hear of clients that go away, and of the server's stop.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "http/raw_client.h"
#include "http/server.h"

namespace waybill::http {
namespace {

Response text(std::string body) {
  Response response;
  response.body = std::move(body);
  return response;
}

// Keeps every request but "/now" waiting, and is told when nobody waits for the answer any more.
class WaitingRoom {
 public:
  void handle(const Request& request, Responder responder) {
    if (request.path == "/now") {
      responder.send(text("now"));
      return;
    }
    auto guest = std::make_shared<Guest>();
    guest->answers_when_gone = request.path == "/answers-when-gone";
    responder.watch([this, guest, held = token_] { on_gone(*guest); });
    if (request.path == "/at-once") {
      responder.send(text("at once"));
    } else {
      guest->responder = std::move(responder);
    }
    const std::lock_guard lock(mutex_);
    guests_.push_back(std::move(guest));
    changed_.notify_all();
  }

  bool wait_for_guests(std::size_t count) {
    return wait([this, count] { return guests_.size() >= count; });
  }
  bool wait_for_gone(std::size_t count) {
    return wait([this, count] { return gone_ >= count; });
  }
  std::size_t gone() {
    const std::lock_guard lock(mutex_);
    return gone_;
  }
  Responder take(std::size_t guest) {
    const std::lock_guard lock(mutex_);
    return std::move(guests_[guest]->responder);
  }
  // How many of the functions that were handed to watch() still exist.
  long watchers() const { return token_.use_count() - 1; }

 private:
  struct Guest {
    bool answers_when_gone = false;
    Responder responder;
  };

  void on_gone(Guest& guest) {
    if (guest.answers_when_gone) {
      guest.responder.send(text("nothing came"));
    }
    const std::lock_guard lock(mutex_);
    ++gone_;
    changed_.notify_all();
  }

  template <typename Condition>
  bool wait(Condition condition) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(5), condition);
  }

  const std::shared_ptr<int> token_ = std::make_shared<int>();
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<std::shared_ptr<Guest>> guests_;
  std::size_t gone_ = 0;
};

std::string get(const std::string& path) {
  return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
}

// Closes so that the other side gets a reset in place of an end.
void reset(RawClient& client) {
  const linger at_once{1, 0};
  ::setsockopt(client.socket(), SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
  client.close();
}

class WatchTest : public testing::Test {
 protected:
  void SetUp() override { listen(1); }
  void listen(int threads, const Clock* clock = nullptr) {
    ServerOptions options;
    options.threads = threads;
    options.clock = clock;
    server_ = *Server::listen(options, [this](const Request& request, Responder responder) {
      room_.handle(request, std::move(responder));
    });
  }
  RawClient connect() { return RawClient(server_->port()); }
  bool wait_for_connections(std::size_t count) {
    for (int i = 0; i < 5000 && server_->connection_count() != count; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return server_->connection_count() == count;
  }

  WaitingRoom room_;
  std::unique_ptr<Server> server_;
};

TEST_F(WatchTest, AClientThatClosesIsNoticed) {
  RawClient client = connect();
  client.send(get("/wait"));
  ASSERT_TRUE(room_.wait_for_guests(1));
  EXPECT_EQ(room_.gone(), 0u);
  client.close();
  ASSERT_TRUE(room_.wait_for_gone(1));
  room_.take(0).send(text("too late"));
  EXPECT_TRUE(wait_for_connections(0));
  EXPECT_EQ(room_.gone(), 1u);
}

TEST_F(WatchTest, AClientThatResetsIsNoticed) {
  RawClient client = connect();
  client.send(get("/wait"));
  ASSERT_TRUE(room_.wait_for_guests(1));
  reset(client);
  ASSERT_TRUE(room_.wait_for_gone(1));
  room_.take(0).send(text("too late"));
  EXPECT_TRUE(wait_for_connections(0));
}

TEST_F(WatchTest, AClientThatIsGoneBeforeTheWatchBeginsIsNoticed) {
  RawClient client = connect();
  client.send(get("/wait"));
  client.close();
  ASSERT_TRUE(room_.wait_for_gone(1));
}

TEST_F(WatchTest, TheAnswerMayBeGivenInTheNotice) {
  RawClient client = connect();
  client.send(get("/answers-when-gone"));
  ASSERT_TRUE(room_.wait_for_guests(1));
  client.close();
  ASSERT_TRUE(room_.wait_for_gone(1));
  EXPECT_TRUE(wait_for_connections(0));
}

TEST_F(WatchTest, TheConnectionGoesOnAfterTheAnswer) {
  RawClient client = connect();
  for (std::size_t i = 0; i < 20; ++i) {
    client.send(get("/wait"));
    ASSERT_TRUE(room_.wait_for_guests(2 * i + 1));
    room_.take(2 * i).send(text("answer " + std::to_string(i)));
    EXPECT_EQ(client.read().body, "answer " + std::to_string(i));
    EXPECT_EQ(client.exchange(get("/at-once")).body, "at once");
    EXPECT_EQ(client.exchange(get("/now")).body, "now");
  }
  EXPECT_EQ(room_.watchers(), 0);
  client.send(get("/wait"));
  ASSERT_TRUE(room_.wait_for_guests(41));
  EXPECT_EQ(room_.gone(), 0u);
  client.close();
  ASSERT_TRUE(room_.wait_for_gone(1));
}

TEST_F(WatchTest, AClientThatClosesAfterTheAnswerIsNoNews) {
  RawClient client = connect();
  client.send(get("/wait"));
  ASSERT_TRUE(room_.wait_for_guests(1));
  room_.take(0).send(text("answer"));
  EXPECT_EQ(client.read().body, "answer");
  client.close();
  EXPECT_TRUE(wait_for_connections(0));
  EXPECT_EQ(room_.gone(), 0u);
}

TEST_F(WatchTest, ARequestThatIsPipelinedIsHandledAfterTheAnswer) {
  RawClient client = connect();
  client.send(get("/wait"));
  ASSERT_TRUE(room_.wait_for_guests(1));
  client.send(get("/now") + get("/wait"));
  RawClient other = connect();
  EXPECT_EQ(other.exchange(get("/now")).body, "now");
  room_.take(0).send(text("first"));
  EXPECT_EQ(client.read().body, "first");
  EXPECT_EQ(client.read().body, "now");
  ASSERT_TRUE(room_.wait_for_guests(2));
  EXPECT_EQ(room_.gone(), 0u);
  client.close();
  ASSERT_TRUE(room_.wait_for_gone(1));
}

TEST_F(WatchTest, AWatchOutlastsIdleMemoryBeingGivenBack) {
  ManualClock clock(1'000'000);
  listen(1, &clock);
  RawClient client = connect();
  client.send(get("/wait"));
  ASSERT_TRUE(room_.wait_for_guests(1));
  room_.take(0).send(text("first"));
  EXPECT_EQ(client.read().body, "first");
  clock.advance_ms(2'000);  // the next sweep takes the buffer away, and cancels what waits on the socket
  std::this_thread::sleep_for(std::chrono::milliseconds(1'500));
  client.send(get("/wait"));
  ASSERT_TRUE(room_.wait_for_guests(2));
  client.close();
  ASSERT_TRUE(room_.wait_for_gone(1));
  server_.reset();
}

TEST_F(WatchTest, StoppingTellsThoseWhoWait) {
  RawClient client = connect();
  client.send(get("/answers-when-gone"));
  ASSERT_TRUE(room_.wait_for_guests(1));
  const auto begin = std::chrono::steady_clock::now();
  server_->stop();
  const Answer answer = client.read();
  EXPECT_EQ(answer.body, "nothing came");
  EXPECT_EQ(answer.headers.at("Connection"), "close");
  client.close();
  server_->join();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(3));
}

TEST_F(WatchTest, ManyWaitAtOnce) {
  listen(2);
  constexpr std::size_t count = 1'000;
  std::vector<RawClient> clients;
  for (std::size_t i = 0; i < count; ++i) {
    clients.push_back(connect());
    ASSERT_TRUE(clients.back().send(get("/answers-when-gone")));
  }
  ASSERT_TRUE(room_.wait_for_guests(count));
  for (std::size_t i = 0; i < count; i += 2) {
    clients[i].close();
  }
  ASSERT_TRUE(room_.wait_for_gone(count / 2));
  EXPECT_TRUE(wait_for_connections(count / 2));
  server_->stop();
  for (std::size_t i = 1; i < count; i += 2) {
    EXPECT_EQ(clients[i].read().body, "nothing came");
  }
  clients.clear();
  server_->join();
  EXPECT_EQ(room_.gone(), count);
  EXPECT_EQ(room_.watchers(), 0);
}

}  // namespace
}  // namespace waybill::http
