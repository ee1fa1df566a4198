#include "media/child_process.h"

#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "media/message.h"

namespace waybill::media {

namespace {

Error cannot_start(const std::string& program, int code) {
  return {ErrorKind::unavailable, "cannot start " + program + " for images: " + std::strerror(code), {}};
}

// Secrets of the parent stay with it. jemalloc is to give memory back at once: what it keeps counts against
// the address space.
std::vector<std::string> environment() {
  constexpr std::array inherited = {"PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS",
                                    "TSAN_OPTIONS"};
  std::vector<std::string> variables = {
      "LC_ALL=C.UTF-8", "VIPS_CONCURRENCY=1",
      "MALLOC_ARENA_MAX=1",  // of glibc's allocator: each arena takes 64 MB of addresses
      "MALLOC_CONF=retain:false,narenas:1,dirty_decay_ms:0,muzzy_decay_ms:0"};
  for (const char* name : inherited) {
    if (const char* value = std::getenv(name); value != nullptr) {
      variables.push_back(std::string(name) + "=" + value);
    }
  }
  return variables;
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

// How posix_spawn is to prepare the child.
class Preparation {
 public:
  explicit Preparation(int socket) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_adddup2(&actions_, socket, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, socket, STDOUT_FILENO);
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
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

bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) {
      continue;
    }
    if (sent <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

// Whether there is something to read before `deadline_ms`.
bool wait_readable(int socket, const Clock& clock, int64_t deadline_ms) {
  for (;;) {
    constexpr int64_t poll_ms_max = 60'000;
    const int64_t left_ms = std::clamp<int64_t>(deadline_ms - clock.steady_ms(), 0, poll_ms_max);
    pollfd watched{socket, POLLIN, 0};
    const int found = ::poll(&watched, 1, static_cast<int>(left_ms));
    if (found > 0) {
      return true;
    }
    if (clock.steady_ms() >= deadline_ms) {
      return false;
    }
  }
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& argv) {
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    return cannot_start(argv.front(), errno);
  }
  Descriptor ours(sockets[0]);
  const Descriptor theirs(sockets[1]);
  const Preparation preparation(theirs.number());
  const auto variables = environment();
  const auto arguments = pointers(argv);
  const auto variable_pointers = pointers(variables);
  pid_t pid = -1;
  const int failed = ::posix_spawn(&pid, argv.front().c_str(), preparation.actions(),
                                   preparation.attributes(), arguments.data(), variable_pointers.data());
  if (failed != 0) {
    return cannot_start(argv.front(), failed);
  }
  return ChildProcess(pid, std::move(ours));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), socket_(std::move(other.socket_)) {}

ChildProcess::~ChildProcess() {
  end();
}

ChildProcess::Outcome ChildProcess::exchange(std::string_view line, const Clock& clock, int64_t timeout_ms,
                                             std::string& answer) {
  const int64_t deadline_ms = clock.steady_ms() + timeout_ms;
  if (!send_all(socket_.number(), std::string(line) + "\n")) {
    return Outcome::gone;
  }
  answer.clear();
  while (!answer.ends_with('\n')) {
    if (!wait_readable(socket_.number(), clock, deadline_ms)) {
      return Outcome::late;
    }
    char bytes[4096];
    const auto got = ::recv(socket_.number(), bytes, sizeof(bytes), 0);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return Outcome::gone;
    }
    answer.append(bytes, static_cast<std::size_t>(got));
    if (answer.size() > line_bytes_max) {
      return Outcome::babbled;
    }
  }
  answer.pop_back();
  return answer.find('\n') == std::string::npos ? Outcome::answered : Outcome::babbled;
}

bool ChildProcess::is_ready() const {
  pollfd watched{socket_.number(), POLLIN, 0};
  return ::poll(&watched, 1, 0) == 0;
}

void ChildProcess::interrupt() {
  ::shutdown(socket_.number(), SHUT_RDWR);
}

int ChildProcess::end() {
  if (pid_ < 0) {
    return 0;
  }
  // One that is about to end by itself keeps the end it has chosen.
  ::kill(pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return status;
}

Error describe_end(int wait_status, const Limits& limits) {
  const std::string failed = "the image could not be processed: ";
  if (!WIFSIGNALED(wait_status)) {
    return {ErrorKind::internal, failed + "its process ended unexpectedly",
            "exit status " + std::to_string(WEXITSTATUS(wait_status))};
  }
  const int signal = WTERMSIG(wait_status);
  const std::string name =
      "signal " + std::string(::sigabbrev_np(signal) != nullptr ? ::sigabbrev_np(signal) : "?");
  switch (signal) {
    case SIGXCPU:
      return {
          ErrorKind::limit_exceeded,
          failed + "it takes more than " + std::to_string(limits.cpu_seconds_max) + " s of processor time",
          name};
    case SIGABRT:
    case SIGTRAP:
      // So end libraries that get no memory.
      return {ErrorKind::limit_exceeded,
              failed + "its decoder gave up, most likely because it needs more memory than " +
                  std::to_string(limits.memory_bytes_max >> 20) + " MiB",
              name};
    case SIGKILL:
      return {ErrorKind::unavailable, failed + "its process was killed; the machine may be short of memory",
              name};
    default:
      return {ErrorKind::internal, failed + "its decoder crashed", name};
  }
}

}  // namespace waybill::media
