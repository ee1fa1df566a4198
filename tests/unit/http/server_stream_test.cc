// Answers that have no end yet: their framing, clients that go away or do not read, and the server's stop.
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

// Answers every request but "/now" with a stream, and keeps the streams.
class StreamTest : public testing::Test {
 protected:
  void SetUp() override {
    options_.threads = 1;
    stream_options_.idle_text = ": idle\n";
    listen();
  }

  void listen() {
    server_ = *Server::listen(options_, [this](const Request& request, Responder responder) {
      Response head;
      head.content_type = "text/event-stream";
      if (request.path == "/now") {
        head.body = "now";
        responder.send(std::move(head));
        return;
      }
      responder.watch([this] {
        const std::lock_guard lock(mutex_);
        ++gone_;
        changed_.notify_all();
      });
      if (request.path == "/later") {
        responder.post(
            [this, head](Responder back) mutable { keep(back.send_stream(head, stream_options_)); });
      } else {
        keep(responder.send_stream(head, stream_options_));
      }
    });
  }

  void keep(Stream stream) {
    const std::lock_guard lock(mutex_);
    streams_.push_back(std::make_unique<Stream>(std::move(stream)));
    changed_.notify_all();
  }

  Stream& stream(std::size_t number) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(5), [&] { return streams_.size() > number; });
    return *streams_.at(number);
  }

  bool wait_for_gone(std::size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(5), [&] { return gone_ >= count; });
  }

  RawClient connect() { return RawClient(server_->port()); }

  static std::string get(const std::string& path, const std::string& version = "1.1") {
    return "GET " + path + " HTTP/" + version + "\r\nHost: localhost\r\n\r\n";
  }

  ServerOptions options_;
  StreamOptions stream_options_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Stream>> streams_;
  std::size_t gone_ = 0;
  std::unique_ptr<Server> server_;
};

TEST_F(StreamTest, EachWriteIsAChunkAndTheConnectionServesOn) {
  RawClient client = connect();
  client.send(get("/stream"));
  const Answer head = client.read();
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.headers.at("Transfer-Encoding"), "chunked");
  EXPECT_EQ(head.headers.count("Content-Length"), 0u);
  EXPECT_TRUE(stream(0).write("data: one\n\n"));
  EXPECT_EQ(client.read_text("b\r\ndata: one\n\n\r\n"), "b\r\ndata: one\n\n\r\n");
  EXPECT_TRUE(stream(0).write(std::string(300, 'x')));
  const std::string chunk = "12c\r\n" + std::string(300, 'x') + "\r\n";
  EXPECT_EQ(client.read_text(chunk), chunk);
  stream(0).end();
  EXPECT_EQ(client.read_text("0\r\n\r\n"), "0\r\n\r\n");
  EXPECT_FALSE(stream(0).write("late"));
  EXPECT_EQ(client.exchange(get("/now")).body, "now");
}

TEST_F(StreamTest, AStreamMayBeginLater) {
  RawClient client = connect();
  client.send(get("/later"));
  EXPECT_EQ(client.read().status, 200);
  EXPECT_TRUE(stream(0).write("a"));
  stream(0).end();
  EXPECT_EQ(client.read_text("1\r\na\r\n0\r\n\r\n"), "1\r\na\r\n0\r\n\r\n");
}

TEST_F(StreamTest, AnOldClientReadsUpToTheClose) {
  RawClient client = connect();
  client.send(get("/stream", "1.0"));
  const Answer head = client.read();
  EXPECT_EQ(head.headers.count("Transfer-Encoding"), 0u);
  EXPECT_EQ(head.headers.at("Connection"), "close");
  EXPECT_TRUE(stream(0).write("plain"));
  EXPECT_EQ(client.read_text("plain"), "plain");
  stream(0).end();
  EXPECT_TRUE(client.reads_end());
}

TEST_F(StreamTest, ARequestBehindWaitsForTheEnd) {
  RawClient client = connect();
  client.send(get("/stream") + get("/now"));
  EXPECT_EQ(client.read().status, 200);
  stream(0).end();
  EXPECT_EQ(client.read_text("0\r\n\r\n"), "0\r\n\r\n");
  EXPECT_EQ(client.read().body, "now");
}

TEST_F(StreamTest, AClientThatClosesIsNoticed) {
  RawClient client = connect();
  client.send(get("/stream"));
  client.read();
  ASSERT_TRUE(stream(0).write("x"));
  client.close();
  ASSERT_TRUE(wait_for_gone(1));
  EXPECT_FALSE(stream(0).write("y"));
}

TEST_F(StreamTest, AClientThatDoesNotReadIsClosed) {
  stream_options_.unsent_bytes_max = 64 * 1024;
  RawClient client = connect();
  client.send(get("/stream"));
  client.read();
  const std::string piece(16 * 1024, 'x');
  std::size_t written = 0;
  for (int i = 0; i < 100'000 && stream(0).write(piece); ++i) {
    written += piece.size();
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  EXPECT_TRUE(wait_for_gone(1));
  EXPECT_LT(written, 64u << 20);
  EXPECT_GT(written, 64u << 10);
}

TEST_F(StreamTest, SilenceIsFilled) {
  ManualClock clock(1'000'000);
  server_.reset();
  options_.clock = &clock;
  listen();
  RawClient client = connect();
  client.send(get("/stream"));
  client.read();
  clock.advance_ms(15'000);
  EXPECT_EQ(client.read_text("7\r\n: idle\n\r\n"), "7\r\n: idle\n\r\n");
  clock.advance_ms(14'000);
  ASSERT_TRUE(stream(0).write("x"));
  EXPECT_EQ(client.read_text("1\r\nx\r\n"), "1\r\nx\r\n");
  client.close();
  EXPECT_TRUE(wait_for_gone(1));
  server_.reset();
}

TEST_F(StreamTest, TheServersStopIsToldAndEndsStreams) {
  RawClient client = connect();
  client.send(get("/stream"));
  client.read();
  stream(0);
  server_->stop();
  ASSERT_TRUE(wait_for_gone(1));
  stream(0).end();
  EXPECT_EQ(client.read_text("0\r\n\r\n"), "0\r\n\r\n");
  EXPECT_TRUE(client.reads_end());
  server_->join();
}

TEST_F(StreamTest, AnAnswerToHeadHasNoBody) {
  RawClient client = connect();
  client.send("HEAD /stream HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(client.read(true).status, 200);
  EXPECT_FALSE(stream(0).write("x"));
  EXPECT_EQ(client.exchange(get("/now")).body, "now");
}

TEST_F(StreamTest, ManyWritersAndManyStreams) {
  std::vector<RawClient> clients;
  for (std::size_t i = 0; i < 20; ++i) {
    clients.push_back(connect());
    clients.back().send(get("/stream"));
    EXPECT_EQ(clients.back().read().status, 200);
    stream(i);
  }
  std::vector<std::thread> writers;
  for (std::size_t i = 0; i < 20; ++i) {
    writers.emplace_back([this, i] {
      for (int n = 0; n < 200; ++n) {
        EXPECT_TRUE(streams_[i]->write("line\n"));
      }
      streams_[i]->end();
    });
  }
  for (auto& writer : writers) {
    writer.join();
  }
  for (auto& client : clients) {
    std::string body;
    for (std::string chunk = client.read_chunk(); !chunk.empty(); chunk = client.read_chunk()) {
      body += chunk;
    }
    EXPECT_EQ(body.size(), 200 * 5u);
  }
}

TEST_F(StreamTest, ABodyOfKnownLengthIsSentAsItIs) {
  stream_options_.content_length = 11;
  RawClient client = connect();
  client.send(get("/stream") + get("/now"));
  EXPECT_TRUE(stream(0).write("hello "));
  EXPECT_TRUE(stream(0).write("world, and what is too much"));
  stream(0).end();
  const Answer answer = client.read();
  EXPECT_EQ(answer.headers.at("Content-Length"), "11");
  EXPECT_EQ(answer.headers.count("Transfer-Encoding"), 0u);
  EXPECT_EQ(answer.body, "hello world");
  EXPECT_EQ(client.read().body, "now");
}

// Large pieces go out from where they are, small ones with what is before them.
TEST_F(StreamTest, PiecesOfEverySizeArriveInOrder) {
  std::string body;
  std::vector<std::string> pieces;
  for (const std::size_t bytes : {1u, 500'000u, 3u, 16'384u, 16'385u, 2u, 900'000u, 700'000u, 5u}) {
    pieces.emplace_back(bytes, static_cast<char>('a' + pieces.size()));
    body += pieces.back();
  }
  std::atomic<std::size_t> next = 0;
  stream_options_.unsent_bytes_max = body.size();
  stream_options_.content_length = body.size();
  stream_options_.on_drained = [&] {
    if (const std::size_t number = next++; number < pieces.size()) {
      std::thread([this, piece = pieces[number], is_last = number + 1 == pieces.size()] {
        stream(0).write(piece);
        if (is_last) {
          stream(0).end();
        }
      }).detach();
    }
  };
  RawClient client = connect();
  client.send(get("/stream") + get("/now"));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(client.read().body == body);
  EXPECT_EQ(client.read().body, "now");
}

TEST_F(StreamTest, ABodyThatEndsBeforeItsLengthEndsTheConnection) {
  stream_options_.content_length = 11;
  RawClient client = connect();
  client.send(get("/stream"));
  EXPECT_TRUE(stream(0).write("hello"));
  stream(0).end();
  EXPECT_EQ(client.read().status, 0);
  EXPECT_EQ(client.read_text("hello"), "hello");
  EXPECT_TRUE(client.reads_end());
}

TEST_F(StreamTest, HeadTellsTheLengthAlone) {
  stream_options_.content_length = 11;
  RawClient client = connect();
  client.send("HEAD /stream HTTP/1.1\r\nHost: localhost\r\n\r\n" + get("/now"));
  EXPECT_EQ(client.read(true).headers.at("Content-Length"), "11");
  EXPECT_EQ(client.read().body, "now");
}

TEST_F(StreamTest, WhoeverWritesIsToldWhenAllIsOnItsWay) {
  std::atomic<int> drained = 0;
  const std::string piece(100'000, 'p');
  stream_options_.content_length = 50 * piece.size();
  stream_options_.on_drained = [&] {
    const int count = ++drained;
    if (count <= 50) {
      std::thread([this, &piece] { stream(0).write(piece); }).detach();
    } else {
      std::thread([this] { stream(0).end(); }).detach();
    }
  };
  RawClient client = connect();
  client.send(get("/stream") + get("/now"));
  EXPECT_EQ(client.read().body.size(), 50 * piece.size());
  EXPECT_EQ(client.read().body, "now");
  EXPECT_EQ(drained, 51);
}

// Pieces are made in the memory of those that were sent: none may be changed that is still on its way.
TEST_F(StreamTest, ThePieceBeforeIsMemoryForTheNext) {
  constexpr std::size_t piece_bytes = 200'000;
  constexpr int pieces = 40;
  std::atomic<int> next = 0;
  std::atomic<int> reused = 0;
  stream_options_.unsent_bytes_max = 2 * piece_bytes;
  stream_options_.content_length = pieces * piece_bytes;
  stream_options_.on_drained = [&] {
    const int number = next++;
    if (number >= pieces) {
      return;
    }
    std::thread([this, &reused, number] {
      std::string piece = stream(0).spare();
      reused += piece.size() == piece_bytes ? 1 : 0;
      piece.assign(piece_bytes, static_cast<char>('A' + number));
      stream(0).give(std::move(piece));
      if (number + 1 == pieces) {
        stream(0).end();
      }
    }).detach();
  };
  RawClient client = connect();
  client.send(get("/stream") + get("/now"));
  std::string body;
  for (int number = 0; number < pieces; ++number) {
    body.append(piece_bytes, static_cast<char>('A' + number));
  }
  EXPECT_TRUE(client.read().body == body);
  EXPECT_EQ(client.read().body, "now");
  EXPECT_EQ(reused, pieces - 1);
}

}  // namespace
}  // namespace waybill::http
