#pragma once

#include <string>

#include "cli/backup_commands.h"
#include "cli/completion/commands.h"
#include "cli/contract_command.h"
#include "cli/control_commands.h"
#include "cli/cost_command.h"
#include "cli/import_command.h"
#include "cli/job/options.h"
#include "cli/migrate_command.h"
#include "cli/tour/tour.h"
#include "cli/transfer_commands.h"
#include "cli/work_command.h"
#include "cli/workflow_command.h"
#include "server/config.h"

namespace waybill::cli {

enum class Command : unsigned char {
  serve,
  backup,
  restore,
  export_table,
  import_table,
  import_postgres,
  encryption,
  cost,
  contract_check,
  contract_show,
  contract_diff,
  contract_schema,
  contract_apply,
  contract_withdraw,
  contract_list,
  audit_verify,
  event_parked,
  event_retry,
  job,
  completion,
  complete,
  migrate,
  work,
  tour,
  workflow_check,
  version,
  nothing
};

// What the command line asks for. For `nothing`, `text` has been printed and `exit_code` is what to end with.
struct Arguments {
  Command command = Command::nothing;
  int exit_code = 0;
  server::Config config{};           // of serve; of encryption, the directory alone
  BackupOptions backup{};            // of backup and restore
  TransferOptions transfer{};        // of export and import
  PostgresImportOptions postgres{};  // of import postgres
  CostOptions cost{};                // of cost
  ContractOptions contract{};        // of the contract commands
  ControlOptions control{};          // of those that a running server carries out
  job::JobOptions job{};             // of the job commands
  std::string shell{};               // of completion
  completion::CompleteOptions complete{};
  MigrateOptions migrate{};    // of migrate
  WorkOptions work{};          // of work
  tour::TourOptions tour{};    // of tour
  WorkflowOptions workflow{};  // of workflow check
};

// Reads the command line; prints help and errors by itself.
Arguments read_arguments(int count, char** values);

}  // namespace waybill::cli
