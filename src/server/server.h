#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "server/config.h"

namespace waybill::server {

// Everything that a running server is made of, put together. Makes no decisions of its own.
//
// Thread safety: every method may be called from any thread.
class Server {
 public:
  // Opens the data, then listens. Once this returns, requests are answered.
  static Result<std::unique_ptr<Server>> start(const Config& config);

  // Stops, and waits for requests in flight and for the store to close.
  ~Server();

  uint16_t port() const;

  // Reads the file with the keys for encryption again and takes them into use. Where that cannot be, the
  // server goes on with those it has; the log says which of the two.
  void reload_encryption_keys();

  // Stops the built-in workers, whose jobs have a few seconds to end before they are given back; then stops
  // taking requests, and those in flight have a few seconds as well.
  void stop();
  // Waits until the last request has been answered.
  void join();

 private:
  struct Parts;
  explicit Server(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace waybill::server
