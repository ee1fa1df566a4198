#include <csignal>
#include <exception>
#include <iostream>
#include <string_view>

#include "base/log.h"
#include "cli/arguments.h"
#include "cli/backup_commands.h"
#include "cli/banner.h"
#include "cli/completion/commands.h"
#include "cli/contract_command.h"
#include "cli/cost_command.h"
#include "cli/import_command.h"
#include "cli/job/commands.h"
#include "cli/migrate_command.h"
#include "cli/tour/tour.h"
#include "cli/transfer_commands.h"
#include "cli/version.h"
#include "cli/work_command.h"
#include "engine/encryption/store_encryption.h"
#include "media/child.h"
#include "server/server.h"
#include "worker/steps/guard.h"

namespace {

constexpr int failure = 1;

// These are taken by sigwait() alone. To be called before any thread is started: they inherit it. SIGHUP
// reads keys again where there is a file of them; elsewhere it ends the process, as a closed terminal should.
sigset_t block_signals(bool with_hangup) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  if (with_hangup) {
    sigaddset(&signals, SIGHUP);
  }
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

int serve(const waybill::server::Config& config) {
  const auto signals = block_signals(!config.encryption_key_file.empty());
  auto server = waybill::server::Server::start(config);
  if (!server) {
    const auto& error = server.error();
    std::cerr << "waybill: " << error.message << (error.detail.empty() ? "" : "\n  ") << error.detail << "\n";
    return failure;
  }
  std::cout << waybill::cli::banner(config, (*server)->port()) << std::flush;
  int received = 0;
  while (sigwait(&signals, &received) == 0 && received == SIGHUP) {
    (*server)->reload_encryption_keys();
  }
  waybill::log_info("stopping: requests in flight are being answered");
  // A second signal means that nobody wants to wait.
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  (*server)->stop();
  (*server)->join();
  return 0;
}

int tell_encryption(const std::string& data_dir) {
  const auto evidence = waybill::engine::encryption::look_at_store(data_dir);
  if (!evidence) {
    std::cerr << "waybill: " << evidence.error().message << "\n";
    return failure;
  }
  std::cout << waybill::engine::encryption::describe(*evidence);
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
    case waybill::cli::Command::encryption:
      return tell_encryption(arguments.config.data_dir);
    case waybill::cli::Command::cost:
      return waybill::cli::run_cost(arguments.cost);
    case waybill::cli::Command::contract_check:
      return waybill::cli::run_contract_check(arguments.contract);
    case waybill::cli::Command::contract_show:
      return waybill::cli::run_contract_show(arguments.contract);
    case waybill::cli::Command::contract_diff:
      return waybill::cli::run_contract_diff(arguments.contract);
    case waybill::cli::Command::contract_schema:
      return waybill::cli::run_contract_schema();
    case waybill::cli::Command::contract_apply:
      return waybill::cli::run_contract_apply(arguments.control);
    case waybill::cli::Command::contract_withdraw:
      return waybill::cli::run_contract_withdraw(arguments.control);
    case waybill::cli::Command::contract_list:
      return waybill::cli::run_contract_list(arguments.control);
    case waybill::cli::Command::audit_verify:
      return waybill::cli::run_audit_verify(arguments.control);
    case waybill::cli::Command::event_parked:
      return waybill::cli::run_event_parked(arguments.control);
    case waybill::cli::Command::event_retry:
      return waybill::cli::run_event_retry(arguments.control);
    case waybill::cli::Command::job:
      return waybill::cli::job::run_job(arguments.job);
    case waybill::cli::Command::completion:
      return waybill::cli::completion::run_completion(arguments.shell);
    case waybill::cli::Command::complete:
      return waybill::cli::completion::run_complete(arguments.complete);
    case waybill::cli::Command::work:
      return waybill::cli::run_work(arguments.work);
    case waybill::cli::Command::tour:
      return waybill::cli::tour::run_tour(arguments.tour);
    case waybill::cli::Command::workflow_check:
      return waybill::cli::run_workflow_check(arguments.workflow);
    case waybill::cli::Command::migrate:
      return waybill::cli::run_migrate(arguments.migrate);
    case waybill::cli::Command::export_table:
      return waybill::cli::run_export(arguments.transfer);
    case waybill::cli::Command::import_table:
      return waybill::cli::run_import(arguments.transfer);
    case waybill::cli::Command::import_postgres:
      return waybill::cli::run_postgres_import(arguments.postgres);
    case waybill::cli::Command::version:
      std::cout << "waybill " << waybill::cli::version << "\n";
      return 0;
    case waybill::cli::Command::nothing:
      break;
  }
  return arguments.exit_code;
}

// What workers on images start this program as (cli/work_command.h). Nothing else may have happened before.
bool is_media_child(int count, char** values) {
  return count == 3 && std::string_view(values[1]) == "internal" && std::string_view(values[2]) == "media";
}

// What the worker for workflows starts this program as, with a command behind it.
bool is_guard(int count, char** values) {
  return count > 3 && std::string_view(values[1]) == "internal" && std::string_view(values[2]) == "guard";
}

}  // namespace

int main(int count, char** values) {
  if (is_media_child(count, values)) {
    return waybill::media::child_main();
  }
  if (is_guard(count, values)) {
    return waybill::worker::steps::guard_main(values + 3);
  }
  try {
    return run(count, values);
  } catch (const std::exception& error) {
    std::cerr << "waybill: " << error.what() << "\n";
    return failure;
  }
}
