#include "worker/steps/guarded_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>
#include <utility>

#include "base/descriptor.h"
#include "worker/steps/guard.h"

namespace waybill::worker::steps {
namespace {

constexpr int64_t grace_ms = 2'000;      // between asking and killing
constexpr int64_t aftermath_ms = 5'000;  // for all that is killed to be gone
constexpr std::size_t complaints_bytes_max = 2'048;
constexpr int poll_ms_max = 60'000;

Error trouble(const std::string& what) {
  return Error{ErrorKind::unavailable, what + ": " + std::strerror(errno), {}};
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> found;
  found.reserve(texts.size() + 1);
  for (const auto& text : texts) {
    found.push_back(const_cast<char*>(text.c_str()));
  }
  found.push_back(nullptr);
  return found;
}

// The ends of the command's streams.
struct Streams {
  Descriptor input;
  Descriptor output_here, output_there;
  Descriptor complaints_here, complaints_there;
  Descriptor socket_here, socket_there;
};

bool open_pipe(Descriptor& here, Descriptor& there) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return false;
  }
  here = Descriptor(ends[0]);
  there = Descriptor(ends[1]);
  ::fcntl(here.number(), F_SETFL, O_NONBLOCK);
  return true;
}

Result<Streams> open_streams(const CommandLine& command) {
  Streams streams;
  const std::string input = command.input.empty() ? "/dev/null" : command.input;
  streams.input = Descriptor(::open(input.c_str(), O_RDONLY | O_CLOEXEC));
  int sockets[2];
  if (!streams.input.is_open() || !open_pipe(streams.output_here, streams.output_there) ||
      !open_pipe(streams.complaints_here, streams.complaints_there) ||
      ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    return trouble("no streams for a command can be opened");
  }
  streams.socket_here = Descriptor(sockets[0]);
  streams.socket_there = Descriptor(sockets[1]);
  return streams;
}

// How posix_spawn is to prepare the guard.
class Preparation {
 public:
  Preparation(const Streams& streams, const std::string& folder) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_adddup2(&actions_, streams.input.number(), STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, streams.output_there.number(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, streams.complaints_there.number(), STDERR_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, streams.socket_there.number(), guard_socket);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, guard_socket + 1);
    ::posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    ::posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~Preparation() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  Preparation(const Preparation&) = delete;
  Preparation& operator=(const Preparation&) = delete;

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

Result<pid_t> start(const CommandLine& command, const GuardOptions& options, const Streams& streams) {
  const Preparation preparation(streams, command.folder);
  auto argv = options.guard;
  argv.insert(argv.end(), command.argv.begin(), command.argv.end());
  const auto arguments = pointers(argv);
  const auto variables = pointers(command.environment);
  pid_t pid = -1;
  errno = ::posix_spawn(&pid, argv.front().c_str(), preparation.actions(), preparation.attributes(),
                        arguments.data(), variables.data());
  if (errno != 0) {
    return trouble("the guard of a command cannot be started");
  }
  return pid;
}

// Reads what is there. Closes the descriptor at its end.
void drain(Descriptor& from, std::string& kept, std::size_t bytes_max, bool& is_cut) {
  std::array<char, 1 << 16> bytes;
  for (;;) {
    const auto got = ::read(from.number(), bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0 && errno == EAGAIN) {
      return;
    }
    if (got <= 0) {
      from.close();
      return;
    }
    const auto taken = std::min(static_cast<std::size_t>(got), bytes_max - std::min(bytes_max, kept.size()));
    kept.append(bytes.data(), taken);
    is_cut = is_cut || taken < static_cast<std::size_t>(got);
  }
}

// A command under way.
class Watch {
 public:
  Watch(Streams& streams, const GuardOptions& options)
      : streams_(streams),
        options_(options),
        stop_(options.stop, [this] { ::shutdown(streams_.socket_here.number(), SHUT_WR); }),
        next_ms_(options.clock->steady_ms() + options.timeout_ms) {}

  // Until all is over: the guard has gone, and nobody writes any more.
  CommandEnd run() {
    while (!is_over_ || streams_.output_here.is_open() || streams_.complaints_here.is_open()) {
      if (options_.clock->steady_ms() >= next_ms_ && !press()) {
        break;
      }
      wait();
    }
    return std::move(end_);
  }

  bool has_report() const { return has_report_; }

 private:
  // Asks, then kills, then gives up on it.
  bool press() {
    const int64_t now_ms = options_.clock->steady_ms();
    ++pressure_;
    if (pressure_ == 1 && !has_report_) {
      end_.is_late = true;
      ::send(streams_.socket_here.number(), &guard_ask_to_end, 1, MSG_NOSIGNAL);
      next_ms_ = now_ms + grace_ms;
    } else if (pressure_ <= 2) {
      ::shutdown(streams_.socket_here.number(), SHUT_WR);
      next_ms_ = now_ms + aftermath_ms;
    }
    return pressure_ <= 2;
  }

  void wait() {
    pollfd watched[] = {{streams_.output_here.number(), POLLIN, 0},
                        {streams_.complaints_here.number(), POLLIN, 0},
                        {is_over_ ? -1 : streams_.socket_here.number(), POLLIN, 0}};
    const int64_t left_ms = std::clamp<int64_t>(next_ms_ - options_.clock->steady_ms(), 0, poll_ms_max);
    if (::poll(watched, std::size(watched), static_cast<int>(left_ms)) <= 0) {
      return;
    }
    if (watched[0].revents != 0) {
      drain(streams_.output_here, end_.output, options_.output_bytes_max, end_.is_cut);
    }
    if (watched[1].revents != 0) {
      bool ignored = false;
      drain(streams_.complaints_here, end_.complaints, complaints_bytes_max, ignored);
    }
    if (watched[2].revents != 0) {
      take_report();
    }
  }

  void take_report() {
    GuardReport report;
    const auto got = ::recv(streams_.socket_here.number(), &report, sizeof(report), MSG_WAITALL);
    if (got < 0 && errno == EINTR) {
      return;
    }
    if (got == static_cast<ssize_t>(sizeof(report))) {
      end_.wait_status = report.wait_status;
      end_.failure = report.failure;
      has_report_ = true;
      next_ms_ = options_.clock->steady_ms() + aftermath_ms;
      return;
    }
    is_over_ = true;
  }

  Streams& streams_;
  const GuardOptions& options_;
  const std::stop_callback<std::function<void()>> stop_;
  int64_t next_ms_;
  int pressure_ = 0;
  bool has_report_ = false;
  bool is_over_ = false;  // the guard has gone; its socket stays open, since whoever stops may just use it
  CommandEnd end_;
};

}  // namespace

Result<CommandEnd> run_guarded(const CommandLine& command, const GuardOptions& options) {
  WAYBILL_TRY_ASSIGN(auto streams, open_streams(command));
  WAYBILL_TRY_ASSIGN(const auto guard, start(command, options, streams));
  streams.output_there.close();
  streams.complaints_there.close();
  streams.socket_there.close();
  Watch watch(streams, options);
  auto end = watch.run();
  ::kill(guard, SIGKILL);  // it has ended by itself, unless something is very wrong
  while (::waitpid(guard, nullptr, 0) < 0 && errno == EINTR) {
  }
  if (!watch.has_report()) {
    return Error{ErrorKind::unavailable, "the guard of a command was lost", {}};
  }
  return end;
}

}  // namespace waybill::worker::steps
