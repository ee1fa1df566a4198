#include "http/server.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"
#include "http/acceptor.h"
#include "http/io_thread.h"
#include "http/processors.h"
#include "http/server_state.h"

namespace waybill::http {

struct Server::Parts {
  std::shared_ptr<ServerState> state;
  std::vector<std::shared_ptr<IoThread>> io_threads;
  std::shared_ptr<Acceptor> acceptor;
  std::atomic<bool> stopped = false;

  std::mutex mutex;  // for what follows
  std::vector<std::thread> threads;
};

Server::Server(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Server::~Server() {
  stop();
  join();
}

Result<std::unique_ptr<Server>> Server::listen(ServerOptions options, Handler handler) {
  WAYBILL_CHECK(options.threads > 0 && handler != nullptr);
  auto parts = std::make_unique<Parts>();
  parts->state = std::make_shared<ServerState>(std::move(options), std::move(handler));
  const bool at_home = parts->state->options.thread_per_processor;
  const std::vector<int> homes = at_home ? usable_processors() : std::vector<int>();
  for (int i = 0; i < parts->state->options.threads; ++i) {
    const auto index = static_cast<std::size_t>(i);
    parts->io_threads.push_back(std::make_shared<IoThread>(
        parts->state, index < homes.size() ? std::optional(homes[index]) : std::nullopt));
  }
  parts->acceptor = std::make_shared<Acceptor>(parts->state, parts->io_threads);
  WAYBILL_TRY(parts->acceptor->listen());
  parts->acceptor->start();
  for (const auto& io_thread : parts->io_threads) {
    parts->threads.emplace_back([io_thread] { io_thread->run(); });
  }
  return std::unique_ptr<Server>(new Server(std::move(parts)));
}

uint16_t Server::port() const {
  return parts_->acceptor->port();
}

std::size_t Server::connection_count() const {
  return parts_->state->connection_count.load();
}

void Server::stop() {
  if (parts_->stopped.exchange(true)) {
    return;
  }
  auto close_acceptor = [acceptor = parts_->acceptor] { acceptor->close(); };
  parts_->io_threads.front()->push(make_task(std::move(close_acceptor)).release());
  for (const auto& io_thread : parts_->io_threads) {
    auto begin_stop = [thread = io_thread.get()] { thread->begin_stop(); };
    io_thread->push(make_task(std::move(begin_stop)).release());
  }
}

void Server::join() {
  const std::lock_guard lock(parts_->mutex);
  for (std::thread& thread : parts_->threads) {
    thread.join();
  }
  parts_->threads.clear();
}

}  // namespace waybill::http
