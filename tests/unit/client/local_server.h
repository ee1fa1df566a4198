#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "http/server.h"

namespace waybill {

// A request as a LocalServer saw it.
struct SeenRequest {
  std::string method;
  std::string target;
  std::string body;
  std::map<std::string, std::string> headers;  // names in lower case
};

// A server of this process that answers as a test says.
class LocalServer {
 public:
  using Answer = std::function<http::Response(const SeenRequest&)>;

  explicit LocalServer(Answer answer) : answer_(std::move(answer)) {
    server_ = *http::Server::listen({}, [this](const http::Request& request, http::Responder responder) {
      SeenRequest seen{
          std::string(request.method), std::string(request.target), std::string(request.body), {}};
      for (const auto& [name, value] : request.headers) {
        std::string lower(name);
        for (char& c : lower) {
          c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
        }
        seen.headers[lower] = value;
      }
      auto response = answer_(seen);
      {
        const std::lock_guard lock(mutex_);
        seen_.push_back(std::move(seen));
      }
      responder.send(std::move(response));
    });
  }

  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_->port()); }

  std::vector<SeenRequest> seen() const {
    const std::lock_guard lock(mutex_);
    return seen_;
  }

 private:
  Answer answer_;
  mutable std::mutex mutex_;  // guards what follows
  std::vector<SeenRequest> seen_;
  std::unique_ptr<http::Server> server_;
};

inline http::Response answer_with(int status, std::string body) {
  http::Response response;
  response.status = status;
  response.content_type = "application/json";
  response.body = std::move(body);
  return response;
}

}  // namespace waybill
