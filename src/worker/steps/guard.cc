#include "worker/steps/guard.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>

namespace waybill::worker::steps {
namespace {

constexpr int exec_failed = 127;

sigset_t children_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGCHLD);
  return signals;
}

// In the child: becomes the command, or says why not.
[[noreturn]] void become(char** argv, pid_t guard, int failures) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const auto signals = children_signals();
  ::sigprocmask(SIG_UNBLOCK, &signals, nullptr);
  if (::getppid() == guard) {
    ::execvp(argv[0], argv);
  }
  const int32_t failure = errno;
  [[maybe_unused]] const auto written = ::write(failures, &failure, sizeof(failure));
  ::_exit(exec_failed);
}

// Starts the command; `failure` is errno where it could not be.
pid_t start(char** argv, int32_t& failure) {
  int pipe[2];
  if (::pipe2(pipe, O_CLOEXEC) != 0) {
    failure = errno;
    return -1;
  }
  const pid_t guard = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    become(argv, guard, pipe[1]);
  }
  failure = child < 0 ? errno : 0;
  ::close(pipe[1]);
  // Nothing comes where the command has begun: its end of the pipe is closed with exec.
  while (child > 0 && ::read(pipe[0], &failure, sizeof(failure)) < 0 && errno == EINTR) {
  }
  ::close(pipe[0]);
  return child;
}

// Children of children that lose their parent become this process's own (PR_SET_CHILD_SUBREAPER), so that
// killing one generation after the other reaches all, also those that left the group.
void kill_all(pid_t command) {
  ::kill(-command, SIGKILL);
  for (;;) {
    std::ifstream children("/proc/self/task/" + std::to_string(::getpid()) + "/children");
    for (pid_t child = 0; children >> child;) {
      ::kill(child, SIGKILL);
    }
    if (::waitpid(-1, nullptr, 0) < 0 && errno != EINTR) {
      return;
    }
  }
}

// Takes the ends of children; true where that of the command is among them.
bool take_ends(pid_t command, int32_t& wait_status) {
  int status = 0;
  bool has_ended = false;
  for (pid_t child = 0; (child = ::waitpid(-1, &status, WNOHANG)) > 0;) {
    if (child == command) {
      wait_status = status;
      has_ended = true;
    }
  }
  return has_ended;
}

// False where the worker wants no more of it, or is gone.
bool listen_to_worker(pid_t command) {
  char said = 0;
  const auto got = ::recv(guard_socket, &said, 1, MSG_DONTWAIT);
  if (got < 0) {
    return errno == EINTR || errno == EAGAIN;
  }
  if (got > 0 && said == guard_ask_to_end) {
    ::kill(-command, SIGTERM);
  }
  return got > 0;
}

// Until the command has ended, or is not wanted any more.
void watch(pid_t command, int signals, GuardReport& report) {
  for (;;) {
    if (take_ends(command, report.wait_status)) {
      return;
    }
    pollfd watched[] = {{signals, POLLIN, 0}, {guard_socket, POLLIN, 0}};
    if (::poll(watched, 2, -1) < 0) {
      continue;
    }
    if (watched[0].revents != 0) {
      signalfd_siginfo ignored;
      [[maybe_unused]] const auto got = ::read(signals, &ignored, sizeof(ignored));
    }
    if (watched[1].revents != 0 && !listen_to_worker(command)) {
      report.wait_status = SIGKILL;  // as waitpid() has it
      return;
    }
  }
}

}  // namespace

int guard_main(char** argv) {
  ::fcntl(guard_socket, F_SETFD, FD_CLOEXEC);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const auto mask = children_signals();
  ::sigprocmask(SIG_BLOCK, &mask, nullptr);
  const int signals = ::signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
  GuardReport report;
  const pid_t command = start(argv, report.failure);
  // The command's streams are at their end when nobody but this process would hold them.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::close(stream);
  }
  if (command > 0) {
    ::setpgid(command, command);
    if (report.failure == 0) {
      watch(command, signals, report);
    }
    kill_all(command);
  }
  [[maybe_unused]] const auto sent = ::send(guard_socket, &report, sizeof(report), MSG_NOSIGNAL);
  return 0;
}

}  // namespace waybill::worker::steps
