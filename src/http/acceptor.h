#pragma once

#include <memory>
#include <vector>

#include "http/asio.h"
#include "http/io_thread.h"

namespace waybill::http {

// Takes new connections and deals them out to the threads in turn.
//
// Thread safety: everything but listen() and port() on the first thread.
class Acceptor : public std::enable_shared_from_this<Acceptor> {
 public:
  Acceptor(std::shared_ptr<ServerState> state, std::vector<std::shared_ptr<IoThread>> threads);

  // Binds to the address of the options.
  Status listen();
  uint16_t port() const { return port_; }

  void start();
  void close();

 private:
  Result<asio::ip::tcp::endpoint> resolve() const;
  void accept_some();
  bool accept_one();
  void pause();
  void deal(Socket::native_handle_type handle);

  std::shared_ptr<ServerState> state_;
  std::vector<std::shared_ptr<IoThread>> threads_;
  asio::ip::tcp::acceptor acceptor_;
  asio::steady_timer pause_timer_;
  std::size_t next_thread_ = 0;
  uint16_t port_ = 0;
};

}  // namespace waybill::http
