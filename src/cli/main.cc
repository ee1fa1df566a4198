#include <csignal>
#include <exception>
#include <iostream>

#include "base/log.h"
#include "cli/arguments.h"
#include "cli/backup_commands.h"
#include "cli/banner.h"
#include "cli/version.h"
#include "server/server.h"

namespace {

constexpr int failure = 1;

// SIGTERM and SIGINT are taken by sigwait() alone. To be called before any thread is started: they inherit
// it.
sigset_t block_stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

int serve(const waybill::server::Config& config) {
  const auto stop_signals = block_stop_signals();
  auto server = waybill::server::Server::start(config);
  if (!server) {
    const auto& error = server.error();
    std::cerr << "waybill: " << error.message << (error.detail.empty() ? "" : "\n  ") << error.detail << "\n";
    return failure;
  }
  std::cout << waybill::cli::banner(config, (*server)->port()) << std::flush;
  int received = 0;
  sigwait(&stop_signals, &received);
  waybill::log_info("stopping: requests in flight are being answered");
  // A second signal means that nobody wants to wait.
  pthread_sigmask(SIG_UNBLOCK, &stop_signals, nullptr);
  (*server)->stop();
  (*server)->join();
  return 0;
}

int run(int count, char** values) {
  const auto arguments = waybill::cli::read_arguments(count, values);
  switch (arguments.command) {
    case waybill::cli::Command::serve:
      return serve(arguments.config);
    case waybill::cli::Command::backup:
      return waybill::cli::run_backup(arguments.backup);
    case waybill::cli::Command::restore:
      return waybill::cli::run_restore(arguments.backup);
    case waybill::cli::Command::version:
      std::cout << "waybill " << waybill::cli::version << "\n";
      return 0;
    case waybill::cli::Command::nothing:
      break;
  }
  return arguments.exit_code;
}

}  // namespace

int main(int count, char** values) {
  try {
    return run(count, values);
  } catch (const std::exception& error) {
    std::cerr << "waybill: " << error.what() << "\n";
    return failure;
  }
}
