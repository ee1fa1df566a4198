#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "base/json.h"
#include "base/result.h"
#include "control/message.h"
#include "control/unix_socket.h"

namespace waybill::control {

// How a command tells how far it is.
class Progress {
 public:
  virtual ~Progress() = default;
  // False where nobody listens any more, or the server stops: a command that can end early does then.
  virtual bool report(const Step& step) = 0;
};

// Does what a command asks for and gives its result as complete JSON. Runs on a thread of its own and may
// take long.
using Handler = std::function<Result<std::string>(const json::Value& request, Progress& progress)>;
using Handlers = std::map<std::string, Handler, std::less<>>;

// Answers the commands of the terminal.
class Server {
 public:
  static Result<std::unique_ptr<Server>> listen(const std::string& path, Handlers handlers);
  // Ends what is under way as soon as it reports, and waits for it.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

 private:
  struct Conversation {
    Descriptor socket;
    std::thread thread;
    std::atomic<bool> over{false};
  };
  class SocketProgress;

  Server(std::string path, Descriptor socket, Handlers handlers);
  void accept_all();
  void converse(Conversation& conversation);
  std::string answer(const std::string& line, Progress& progress) const;
  void forget_those_over();

  const std::string path_;
  const Descriptor socket_;
  const Handlers handlers_;
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;  // guards conversations_
  std::list<std::unique_ptr<Conversation>> conversations_;
  std::thread thread_;
};

}  // namespace waybill::control
