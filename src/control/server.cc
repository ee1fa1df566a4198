#include "control/server.h"

#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <utility>

#include "base/thread_name.h"

namespace waybill::control {

class Server::SocketProgress final : public Progress {
 public:
  SocketProgress(const Descriptor& socket, const std::atomic<bool>& stopping)
      : socket_(socket), stopping_(stopping) {}
  bool report(const Step& step) override { return !stopping_ && send_all(socket_, progress_line(step)); }

 private:
  const Descriptor& socket_;
  const std::atomic<bool>& stopping_;
};

Result<std::unique_ptr<Server>> Server::listen(const std::string& path, Handlers handlers) {
  WAYBILL_TRY_ASSIGN(auto socket, listen_at(path));
  return std::unique_ptr<Server>(new Server(path, std::move(socket), std::move(handlers)));
}

Server::Server(std::string path, Descriptor socket, Handlers handlers)
    : path_(std::move(path)), socket_(std::move(socket)), handlers_(std::move(handlers)) {
  thread_ = std::thread([this] { accept_all(); });
}

Server::~Server() {
  stopping_ = true;
  ::shutdown(socket_.number(), SHUT_RDWR);
  thread_.join();
  ::unlink(path_.c_str());
  const std::lock_guard lock(mutex_);
  for (auto& conversation : conversations_) {
    ::shutdown(conversation->socket.number(), SHUT_RDWR);
    conversation->thread.join();
  }
}

void Server::accept_all() {
  name_this_thread("control");
  while (!stopping_) {
    Descriptor socket(::accept4(socket_.number(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket.is_open()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));  // too many open files, or the end
      continue;
    }
    const std::lock_guard lock(mutex_);
    forget_those_over();
    auto& conversation = *conversations_.emplace_back(std::make_unique<Conversation>());
    conversation.socket = std::move(socket);
    conversation.thread = std::thread([this, &conversation] { converse(conversation); });
  }
}

void Server::forget_those_over() {
  std::erase_if(conversations_, [](const std::unique_ptr<Conversation>& conversation) {
    if (!conversation->over) {
      return false;
    }
    conversation->thread.join();
    return true;
  });
}

void Server::converse(Conversation& conversation) {
  name_this_thread("command");
  LineReader lines(conversation.socket);
  SocketProgress progress(conversation.socket, stopping_);
  while (const auto line = lines.next()) {
    const auto text = answer(*line, progress);
    // What ends because the server does has no result.
    if (stopping_ || !send_all(conversation.socket, text)) {
      break;
    }
  }
  ::shutdown(conversation.socket.number(), SHUT_RDWR);
  conversation.over = true;
}

std::string Server::answer(const std::string& line, Progress& progress) const {
  json::Parser parser;
  const auto request = parser.parse_copy(line);
  const auto command = request && request->is_object() ? request->find("command") : std::nullopt;
  if (!command || !command->is_string()) {
    return error_line("a request is one line of JSON with a command");
  }
  const auto found = handlers_.find(command->string());
  if (found == handlers_.end()) {
    return error_line("this server knows no command " + std::string(command->string()));
  }
  const auto result = found->second(*request, progress);
  return result ? result_line(*result) : error_line(result.error().message);
}

}  // namespace waybill::control
