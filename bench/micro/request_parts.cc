// Whole requests, from the bytes of a socket to the bytes of a socket, without the store: one client, and a
// server of one thread, whose work is counted. Times include the way through the kernel and back.
#include <arpa/inet.h>
#include <benchmark/benchmark.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "api/dynamodb/operations.h"
#include "api/dynamodb/service.h"
#include "base/check.h"
#include "base/clock.h"
#include "base/entropy.h"
#include "http/server.h"
#include "http/signature.h"
#include "part.h"
#include "sample_store.h"
#include "samples.h"

namespace waybill::micro {
namespace {

constexpr int page_items = 20;

class Client {
 public:
  explicit Client(uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int yes = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
    WAYBILL_CHECK(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Sends a request and waits for all of the answer, which is valid until the next call.
  std::string_view ask(std::string_view text) {
    WAYBILL_CHECK(::send(socket_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
    answer_.clear();
    for (std::size_t whole = std::string::npos; answer_.size() < whole;) {
      char bytes[16 * 1024];
      const ssize_t count = ::recv(socket_, bytes, sizeof(bytes), 0);
      WAYBILL_CHECK(count > 0);
      answer_.append(bytes, static_cast<std::size_t>(count));
      whole = whole_bytes();
    }
    return answer_;
  }

 private:
  // Of head and body together; npos as long as the head is not there.
  std::size_t whole_bytes() const {
    const std::string_view mark = "Content-Length: ";
    const auto end = answer_.find("\r\n\r\n");
    const auto length = answer_.find(mark);
    if (end == std::string::npos || length == std::string::npos) {
      return std::string::npos;
    }
    return end + 4 + std::stoul(answer_.substr(length + mark.size(), 20));
  }

  const int socket_;
  std::string answer_;
};

// A server with a SampleStore, and its client. Requests for /begin and /end are handled by counting, since
// only the server's own thread can do that.
class Exchange {
 public:
  Exchange() : server_(listen()), client_(server_->port()) {}

  std::string_view ask(std::string_view text) { return client_.ask(text); }

  void begin() { ask("GET /begin HTTP/1.1\r\nHost: micro\r\n\r\n"); }
  int64_t end() {
    ask("GET /end HTTP/1.1\r\nHost: micro\r\n\r\n");
    return allocations_;
  }

 private:
  static http::SignatureOptions any_credentials() {
    http::SignatureOptions options;
    options.accept_any = true;
    return options;
  }

  std::unique_ptr<http::Server> listen() {
    http::ServerOptions options;
    options.clock = &clock_;
    return *http::Server::listen(std::move(options),
                                 [this](const http::Request& request, http::Responder responder) {
                                   handle(request, std::move(responder));
                                 });
  }

  void handle(const http::Request& request, http::Responder responder) {
    if (request.path == "/begin") {
      begin_counting();
    } else if (request.path == "/end") {
      allocations_ = end_counting();
    } else {
      service_.handle(request, std::move(responder));
      return;
    }
    responder.send({});
  }

  const ManualClock clock_{now_ms};
  SystemEntropy entropy_;
  SampleStore store_{page_items + 1};
  const http::Verifier verifier_{any_credentials()};
  const api::dynamodb::Services services_{.unguarded_store = store_, .clock = clock_, .entropy = entropy_};
  const api::dynamodb::Service service_{services_, verifier_, {api::dynamodb::operations()}};
  std::atomic<int64_t> allocations_{0};
  std::unique_ptr<http::Server> server_;
  Client client_;
};

Work ask(std::string_view operation, const std::string& body) {
  const auto sample = request(operation, body);
  auto exchange = std::make_shared<Exchange>();
  WAYBILL_CHECK(exchange->ask(sample->text()).starts_with("HTTP/1.1 200 OK\r\n"));
  Work work;
  work.once = [sample, exchange] {
    const auto answer = exchange->ask(sample->text());
    benchmark::DoNotOptimize(answer);
    // The server goes back to waiting before the next request comes, so that it takes the same way each
    // time. Where a busy machine lets this fail, the counts differ by very little.
    if (under_valgrind()) {
      constexpr useconds_t pause_us = 2000;
      ::usleep(pause_us);
    }
  };
  work.bytes = static_cast<int64_t>(sample->text().size());
  work.begin = [exchange] { exchange->begin(); };
  work.end = [exchange] { return exchange->end(); };
  return work;
}

Work get_item() {
  return ask("GetItem", get_item_body());
}
Work put_item() {
  return ask("PutItem", put_item_body());
}
Work update_item() {
  return ask("UpdateItem", update_item_body());
}
Work query() {
  return ask("Query", query_body());
}

}  // namespace

void add_request_parts(Parts& parts) {
  parts.push_back({"request.get_item", get_item, Place::other_thread});
  parts.push_back({"request.put_item", put_item, Place::other_thread});
  parts.push_back({"request.update_item", update_item, Place::other_thread});
  parts.push_back({"request.query", query, Place::other_thread});
}

}  // namespace waybill::micro
