// Answers that come later, from other threads, for clients that have gone, or while the server stops.
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "http/raw_client.h"
#include "http/server.h"

namespace waybill::http {
namespace {

struct Held {
  const Request* request;
  Responder responder;
};

// Keeps requests until somebody takes them.
class Shelf {
 public:
  void put(const Request& request, Responder responder) {
    const std::lock_guard lock(mutex_);
    held_.push_back({&request, std::move(responder)});
    some_.notify_one();
  }
  Held take() {
    std::unique_lock lock(mutex_);
    some_.wait(lock, [this] { return !held_.empty(); });
    Held held = std::move(held_.front());
    held_.pop_front();
    return held;
  }

 private:
  std::mutex mutex_;
  std::condition_variable some_;
  std::deque<Held> held_;
};

Response text(std::string body) {
  Response response;
  response.body = std::move(body);
  return response;
}

class ThreadsTest : public testing::Test {
 protected:
  void listen(int threads, int64_t stop_timeout_ms = 5'000) {
    ServerOptions options;
    options.threads = threads;
    options.stop_timeout_ms = stop_timeout_ms;
    server_ = *Server::listen(options, [shelf = shelf_](const Request& request, Responder responder) {
      shelf->put(request, std::move(responder));
    });
  }
  RawClient connect() { return RawClient(server_->port()); }
  Held take() { return shelf_->take(); }

  std::shared_ptr<Shelf> shelf_ = std::make_shared<Shelf>();
  std::unique_ptr<Server> server_;
};

TEST_F(ThreadsTest, AnotherThreadAnswers) {
  listen(2);
  std::atomic<bool> end = false;
  std::thread worker([this, &end] {
    while (!end) {
      Held held = take();
      std::string body(held.request->body);
      held.responder.send(text(std::move(body)));
    }
  });
  std::vector<std::thread> clients;
  std::atomic<int> good = 0;
  for (int c = 0; c < 8; ++c) {
    clients.emplace_back([this, &good] {
      RawClient client = connect();
      for (int i = 0; i < 500; ++i) {
        const std::string body = std::to_string(i);
        good += client.exchange(post(body)).body == body ? 1 : 0;
      }
    });
  }
  for (std::thread& client : clients) {
    client.join();
  }
  EXPECT_EQ(good, 4000);
  end = true;
  RawClient last = connect();
  last.exchange(post("end"));
  worker.join();
}

TEST_F(ThreadsTest, PipelinedRequestsAreHandledOneAtATime) {
  listen(1);
  RawClient client = connect();
  client.send(post("1") + post("2"));
  Held first = take();
  EXPECT_EQ(first.request->body, "1");
  first.responder.send(text("one"));
  Held second = take();
  EXPECT_EQ(second.request->body, "2");
  second.responder.send(text("two"));
  EXPECT_EQ(client.read().body, "one");
  EXPECT_EQ(client.read().body, "two");
}

TEST_F(ThreadsTest, AnUnsentAnswerIsAnError) {
  listen(1);
  RawClient client = connect();
  client.send(post("1"));
  {
    const Held dropped = take();
  }
  EXPECT_EQ(client.read().status, 500);
  client.send(post("2"));
  Held held = take();
  held.responder = Responder();
  EXPECT_EQ(client.read().status, 500);
}

TEST_F(ThreadsTest, WorkRunsOnTheThreadOfTheConnection) {
  listen(1);
  RawClient client = connect();
  client.send(post("x"));
  Held held = take();
  std::thread::id first;
  held.responder.post([&first, moved = std::make_unique<int>(1)] { first = std::this_thread::get_id(); });
  EXPECT_TRUE(held.responder);
  held.responder.post([&first](Responder responder) {
    responder.send(text(first == std::this_thread::get_id() ? "same" : "other"));
  });
  EXPECT_FALSE(held.responder);
  EXPECT_EQ(client.read().body, "same");
}

TEST_F(ThreadsTest, TheRequestOutlivesTheClient) {
  listen(1);
  RawClient client = connect();
  client.send(post("still here"));
  Held held = take();
  client.close();
  RawClient other = connect();
  other.send(post("x"));
  take().responder.send(text("y"));
  EXPECT_EQ(other.read().body, "y");
  EXPECT_EQ(held.request->body, "still here");
  EXPECT_EQ(held.request->header("host"), "localhost");
  held.responder.send(text(std::string(1'000'000, 'x')));
  for (int i = 0; i < 5000 && server_->connection_count() > 1; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(server_->connection_count(), 1u);
}

TEST_F(ThreadsTest, AHandlerThatThrowsAnswersWithAnError) {
  ServerOptions options;
  server_ =
      *Server::listen(options, [](const Request&, const Responder&) { throw std::runtime_error("planted"); });
  RawClient client = connect();
  EXPECT_EQ(client.exchange(post("x")).status, 500);
  EXPECT_EQ(client.exchange(post("x")).status, 500);
}

TEST_F(ThreadsTest, StoppingLetsRequestsEnd) {
  listen(2);
  RawClient busy = connect();
  busy.send(post("x"));
  Held held = take();
  RawClient idle = connect();
  while (server_->connection_count() < 2) {
    std::this_thread::yield();
  }
  server_->stop();
  EXPECT_TRUE(idle.reads_end());
  const uint16_t port = server_->port();
  held.responder.send(text("done"));
  const Answer answer = busy.read();
  EXPECT_EQ(answer.body, "done");
  EXPECT_EQ(answer.headers.at("Connection"), "close");
  busy.close();
  server_->join();
  EXPECT_FALSE(RawClient(port).connected());
}

TEST_F(ThreadsTest, StoppingDoesNotWaitForEver) {
  listen(1, 100);
  RawClient client = connect();
  client.send(post("views outlive the server"));
  Held held = take();
  server_->stop();
  server_->join();
  EXPECT_TRUE(client.reads_end());
  EXPECT_EQ(held.request->body, "views outlive the server");
  server_.reset();
  held.responder.post([] { FAIL() << "the thread has ended"; });
  held.responder.send(text("dropped"));
}

TEST_F(ThreadsTest, StopsWithManyConnectionsInEveryState) {
  listen(2, 200);
  std::vector<RawClient> clients;
  std::vector<Held> held;
  for (int i = 0; i < 40; ++i) {
    clients.push_back(connect());
    if (i % 4 == 1) {
      clients.back().send("POST / HT");
    } else if (i % 4 == 2) {
      clients.back().send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nx");
    } else if (i % 4 == 3) {
      clients.back().send(post("x"));
      held.push_back(take());
    }
  }
  server_->stop();
  held.erase(held.begin() + 5, held.end());  // the others answer 500 now, these after the server has gone
  server_.reset();
}

}  // namespace
}  // namespace waybill::http
