#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace waybill::http {

// A body that is read from a file while it is sent.
struct FileBody {
  int descriptor = -1;  // of a regular file; read from its beginning, wherever it stands
  int64_t bytes = 0;
};

struct ClientAnswer;

struct ClientRequest {
  std::string method = "GET";
  std::string url;
  std::vector<std::string> headers;  // whole lines: "Content-Type: application/json"
  std::string body;
  std::optional<FileBody> file = {};  // in place of `body`
  std::stop_token stop = {};          // ends the request before its time
  // Of follow(): called with status and headers, before the first bytes of the body are handed over.
  std::function<void(const ClientAnswer& head)> on_head = {};
};

struct ClientAnswer {
  int status = 0;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};  // names in lower case

  // "" where there is none.
  std::string_view header(std::string_view lower_case_name) const;
};

// Sends requests to another server, over connections that are kept. Redirects are not followed: they could
// lead keys to anybody. Servers on loopback addresses are reached without a proxy.
//
// Thread safety: none.
class Client {
 public:
  static constexpr std::size_t body_bytes_max = std::size_t{64} << 20;

  struct Limits {
    int64_t connect_ms = 5'000;
    int64_t answer_ms = 60'000;   // of send(): for the whole answer
    int64_t silence_ms = 45'000;  // of follow(), and of bodies from files: for the next bytes, either way
    std::size_t kept_bytes_max = body_bytes_max;  // of a body that is returned
  };

  static Result<std::unique_ptr<Client>> open(const Limits& limits);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Error invalid where a header has line breaks or the URL is none; too_large where the body has more bytes
  // than are kept; unavailable where no whole answer came, or the request was stopped.
  Result<ClientAnswer> send(const ClientRequest& request);

  // Hands over the body of a 200 or 206 as it comes, until `on_bytes` returns false or the server ends it;
  // other answers are returned whole. Error unavailable where the connection was lost or fell silent, or the
  // request was stopped.
  using OnBytes = std::function<bool(std::string_view)>;
  Result<ClientAnswer> follow(const ClientRequest& request, const OnBytes& on_bytes);

 private:
  struct State;
  explicit Client(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

// Whether the URL's host is this machine itself: localhost, 127.x.x.x or [::1].
bool is_loopback_url(const std::string& url);

}  // namespace waybill::http
