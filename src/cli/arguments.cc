#include "cli/arguments.h"

// Few files include it: it takes seconds to compile.
#include <CLI/CLI.hpp>
#include <iostream>
#include <optional>

#include "cli/completion/shape.h"
#include "cli/import_arguments.h"
#include "cli/job/arguments.h"
#include "cli/version.h"
#include "worker/crew.h"

namespace waybill::cli {
namespace {

constexpr int usage_error = 2;

struct ServeOptions {
  std::string listen = "127.0.0.1:8000";
  std::string durability = "sync";
  std::string workers = "all";
  server::Config config;
};

void add_metrics(CLI::App& serve, server::Config& config) {
  serve.add_flag("--metrics-open", config.metrics_open,
                 "Let anybody read /metrics. Without --keys and without a token it is open anyway");
  serve
      .add_option("--metrics-token-file", config.metrics_token_file,
                  "File with a word that readers of /metrics must send: 'Authorization: Bearer WORD'")
      ->type_name("FILE");
}

void add_alarms(CLI::App& serve, server::Config& config) {
  serve
      .add_option("--alarm-depth", config.alarm_depth,
                  "Raise an alarm for a queue with more messages, visible or in flight, than this. Its "
                  "attribute WaybillAlarmDepth goes before")
      ->type_name("N");
  serve
      .add_option("--alarm-age", config.alarm_age_seconds,
                  "Raise an alarm for a queue whose oldest message is older. Its attribute "
                  "WaybillAlarmAgeSeconds goes before")
      ->type_name("SECONDS");
  serve
      .add_option("--dead-letter-alarm-depth", config.dead_letter_alarm_depth,
                  "In place of --alarm-depth for queues that are the dead-letter queue of another; 0: the "
                  "first message raises it")
      ->type_name("N");
  serve
      .add_option("--alarm-webhook", config.alarm_webhook,
                  "Where alarms that begin or end are posted to as JSON; the log tells of them in any case")
      ->type_name("URL");
  serve
      .add_option("--alarm-webhook-secret-file", config.alarm_webhook_secret_file,
                  "File with a secret: posts are signed with it (HMAC-SHA256)")
      ->type_name("FILE");
}

void add_objects(CLI::App& serve, server::Config& config) {
  serve
      .add_option("--objects", config.objects,
                  "Where contents of objects lie, as s3://BUCKET/PREFIX, with the key and the region of the "
                  "usual AWS_ variables; by default in the data directory")
      ->type_name("URL");
  serve
      .add_option("--objects-endpoint", config.objects_endpoint,
                  "The server that has them, where it is not AWS: anything that speaks S3, path-style")
      ->type_name("URL");
}

CLI::App* add_serve(CLI::App& app, ServeOptions& options) {
  auto* serve = app.add_subcommand("serve", "Start the server");
  auto& config = options.config;
  serve->add_option("--listen", options.listen, "Address and port; port 0 lets the system choose")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  serve->add_option("--data", config.data_dir, "Directory that keeps the data; made where there is none")
      ->type_name("DIR")
      ->capture_default_str();
  serve
      ->add_option("--buckets", config.buckets_dir,
                   "Folder whose folders stand for S3's buckets in exports and imports; by default 'buckets' "
                   "in the data directory")
      ->type_name("DIR");
  serve
      ->add_option("--keys", config.keys_file,
                   "File with access keys: signatures are verified. Without it any credentials pass, on "
                   "loopback addresses only")
      ->type_name("FILE");
  serve->add_option("--region", config.region, "Region named in ARNs")->type_name("R")->capture_default_str();
  serve
      ->add_option("--threads", config.threads,
                   "Threads for connections; 0: one for each processor, which stays there while it is busy")
      ->type_name("N")
      ->capture_default_str();
  serve
      ->add_option("--durability", options.durability,
                   "sync: answers wait for the disk. relaxed: for tests, the newest answers may be lost in a "
                   "crash of the machine")
      ->check(CLI::IsMember({"sync", "relaxed"}))
      ->capture_default_str();
  serve->add_flag("--accept-loss", config.accept_loss,
                  "Start although acknowledged commits are missing from a damaged log");
  serve
      ->add_option(
          "--encryption-key-file", config.encryption_key_file,
          "File with keys, one a line: all data is encrypted with the first, the others are for what "
          "older ones wrote. Read again at SIGHUP. The variable WAYBILL_ENCRYPTION_KEY does the same, once")
      ->type_name("FILE");
  serve->add_flag("--encrypt-existing", config.encrypt_existing,
                  "Take data that is not encrypted yet, and encrypt it while serving");
  serve
      ->add_option("--memory-mb", config.memory_mb,
                   "Memory for caches and write buffers; 0: three fifths of the machine's")
      ->type_name("N")
      ->capture_default_str();
  serve
      ->add_option(
          "--contracts", config.contracts,
          "Contracts to put in force: files, or folders of files. Those that are in force already stay so")
      ->type_name("PATH");
  serve
      ->add_option("--parameter", config.parameters, "Value for a parameter of the contracts, as in env=prod")
      ->type_name("NAME=VALUE");
  serve
      ->add_option("--workers", options.workers,
                   "Built-in workers to run for contracts in force: all, none, or a list as in photo,text")
      ->type_name("LIST")
      ->capture_default_str();
  serve
      ->add_option("--workflows", config.workflows,
                   "Folder with the files of workflows; without it jobs of workflows are left to others")
      ->type_name("DIR");
  add_objects(*serve, config);
  add_metrics(*serve, config);
  add_alarms(*serve, config);
  return serve;
}

CLI::Option* add_data(CLI::App& command, std::string& data_dir, const std::string& text) {
  return command.add_option("--data", data_dir, text)->type_name("DIR")->capture_default_str();
}

void add_key_file(CLI::App& command, std::string& file, const std::string& text) {
  command.add_option("--encryption-key-file", file, text)->type_name("FILE");
}

CLI::App* add_backup(CLI::App& app, BackupOptions& options) {
  auto* backup = app.add_subcommand(
      "backup",
      "Copy the whole store of a running server into a folder; only what is new since the last time");
  backup->add_option("FOLDER", options.folder, "Where the backups are; made where there is none")->required();
  add_data(*backup, options.data_dir, "The data directory of the server");
  backup->add_option("--keep", options.keep, "Delete all but the newest N afterwards")->type_name("N");
  backup->add_flag("--list", options.list, "Only list the backups that are in the folder");
  add_key_file(*backup, options.encryption_key_file, "To list backups of an encrypted store");
  return backup;
}

CLI::App* add_restore(CLI::App& app, BackupOptions& options) {
  auto* restore =
      app.add_subcommand("restore", "Make a data directory of a backup, after checking all of its files");
  restore->add_option("FOLDER", options.folder, "Where the backups are")->required();
  add_data(*restore, options.data_dir, "The new data directory; must be empty");
  restore->add_option("--backup", options.number, "Number of the backup; 0: the newest")
      ->type_name("N")
      ->capture_default_str();
  add_key_file(*restore, options.encryption_key_file,
               "Keys that the backup was made with; the new directory is encrypted with the first");
  return restore;
}

CLI::App* add_encryption(CLI::App& app, std::string& data_dir) {
  auto* encryption =
      app.add_subcommand("encryption", "Tell how a data directory is encrypted, and with which keys");
  encryption->add_option("--data", data_dir, "The directory; a server may be running on it")
      ->type_name("DIR")
      ->capture_default_str();
  return encryption;
}

CLI::App* add_cost(CLI::App& app, CostOptions& options) {
  auto* cost = app.add_subcommand(
      "cost", "Say what the load that a running server has measured would cost a month on DynamoDB");
  add_data(*cost, options.data_dir, "The data directory of the server");
  cost->add_option("--prices", options.prices_file, "File with prices, in the form of share/prices.json")
      ->type_name("FILE");
  cost->add_option("--table", options.table, "This table alone")->type_name("NAME");
  cost->add_option("--days", options.days, "Look back this many days; all that is kept where it is not said")
      ->type_name("N")
      ->check(CLI::Range(1, 35));
  cost->add_flag("--json", options.as_json, "Print JSON");
  cost->add_flag("--minutes", options.by_minute,
                 "Print what one table used in each minute, in place of what it would cost");
  return cost;
}

CLI::App* add_export(CLI::App& app, TransferOptions& options) {
  auto* command = app.add_subcommand(
      "export", "Write a table of a running server into a folder, in DynamoDB's export format");
  command->add_option("TABLE", options.table, "Name of the table")->required();
  command->add_option("FOLDER", options.folder, "Where the export goes; made where there is none")
      ->required();
  add_data(*command, options.data_dir, "The data directory of the server");
  command
      ->add_option(
          "--time", options.time,
          "The table as it was then, 2026-11-16T08:00:00Z; it must have recovery. By default as it is now")
      ->type_name("TIME");
  return command;
}

CLI::App* add_import(CLI::App& app, TransferOptions& options) {
  auto* command = app.add_subcommand("import",
                                     "Make a new table of a running server from an export, or from files; or "
                                     "bring rows of PostgreSQL there");
  command->add_option("FOLDER", options.folder,
                      "An export, a folder that holds one, or a folder of .json, .json.gz or .csv files");
  command->callback([command, &options] {
    if (command->get_subcommands().empty() && options.folder.empty()) {
      throw CLI::RequiredError("FOLDER");
    }
  });
  add_data(*command, options.data_dir, "The data directory of the server");
  command->add_option("--table", options.table, "Name of the new table; by default that of the exported one")
      ->type_name("NAME");
  command
      ->add_option(
          "--parameters", options.parameters_file,
          "File with TableCreationParameters, as for ImportTable; exports of Waybill bring their own")
      ->type_name("FILE");
  return command;
}

struct ContractCommands {
  const CLI::App* check;
  const CLI::App* show;
  const CLI::App* diff;
  const CLI::App* schema;
  const CLI::App* apply;
  const CLI::App* withdraw;
  const CLI::App* list;
};

ContractCommands add_contract(CLI::App& app, ContractOptions& options, ControlOptions& control) {
  auto* contract =
      app.add_subcommand("contract", "Look at contracts: what records are and what may happen to them");
  contract->require_subcommand(1);
  auto* check =
      contract->add_subcommand("check", "Say what is wrong with contracts, and what may become a trap");
  check->add_option("FILE", options.files, "The contracts")->required();
  check->add_flag("--json", options.as_json, "Print JSON");
  auto* show = contract->add_subcommand("show", "Draw the states of a contract's records");
  show->add_option("FILE", options.files, "The contract")->required()->expected(1);
  show->add_option("--record", options.record, "This record alone")->type_name("NAME");
  show->add_option("--svg", options.svg_file, "Write a picture into this file, in place of text")
      ->type_name("FILE");
  auto* diff = contract->add_subcommand(
      "diff",
      "Say which changes from one contract to another are safe, which need a migration, which cannot be");
  diff->add_option("FILES", options.files, "The older and the newer contract")->required()->expected(2);
  auto* schema =
      contract->add_subcommand("schema", "Print the JSON Schema of contracts, from which editors complete");
  const std::string server = "Directory of the running server's data";
  auto* apply = contract->add_subcommand("apply", "Put contracts in force on a running server");
  apply->add_option("FILE", control.files, "The contracts")->required();
  apply
      ->add_option("--parameter", control.parameters,
                   "Value for a parameter of the contracts, as in env=prod")
      ->type_name("NAME=VALUE");
  add_data(*apply, control.data_dir, server);
  auto* withdraw = contract->add_subcommand(
      "withdraw", "Take a contract out of force on a running server; its table and its records stay");
  withdraw->add_option("NAME", control.contract, "The contract")->required();
  add_data(*withdraw, control.data_dir, server);
  auto* list =
      contract->add_subcommand("list", "List the contracts in force on a running server, with counts");
  list->add_flag("--json", control.as_json, "Print JSON");
  add_data(*list, control.data_dir, server);
  return {check, show, diff, schema, apply, withdraw, list};
}

// What a running server is asked to do with contracts, where it is one of those commands.
std::optional<Command> control_command(const ContractCommands& contract) {
  if (contract.apply->parsed()) {
    return Command::contract_apply;
  }
  if (contract.withdraw->parsed()) {
    return Command::contract_withdraw;
  }
  return contract.list->parsed() ? std::optional(Command::contract_list) : std::nullopt;
}

const CLI::App* add_audit(CLI::App& app, ControlOptions& control) {
  auto* audit = app.add_subcommand("audit", "Look at audit trails");
  audit->require_subcommand(1);
  auto* verify =
      audit->add_subcommand("verify", "Check that no line of a trail was changed, added or taken away");
  verify->add_option("CONTRACT", control.contract, "Of this contract alone");
  verify->add_flag("--json", control.as_json, "Print JSON");
  add_data(*verify, control.data_dir, "Directory of the running server's data");
  return verify;
}

struct EventCommands {
  const CLI::App* parked;
  const CLI::App* retry;
};

EventCommands add_event(CLI::App& app, ControlOptions& control) {
  auto* event = app.add_subcommand("event", "Look after events that could not be told");
  event->require_subcommand(1);
  auto* parked = event->add_subcommand("parked", "List events that somebody will not be told, and why");
  parked->add_option("CONTRACT", control.contract, "Of this contract alone");
  parked->add_flag("--json", control.as_json, "Print JSON");
  add_data(*parked, control.data_dir, "Directory of the running server's data");
  auto* retry = event->add_subcommand("retry", "Tell parked events again, to those who have not got them");
  retry->add_option("CONTRACT", control.contract, "Whose event it is")->required();
  retry->add_option("NUMBER", control.number, "Which one, as `waybill event parked` has it");
  retry->add_flag("--all", control.all, "All of them, 10,000 at a time");
  add_data(*retry, control.data_dir, "Directory of the running server's data");
  return {parked, retry};
}

const CLI::App* add_completion(CLI::App& app, std::string& shell) {
  auto* completion = app.add_subcommand("completion", "Print the script that completes commands in a shell");
  completion->add_option("SHELL", shell, "Which one")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  return completion;
}

// The words to complete are no options of this call, whatever they look like.
bool is_complete(int count, char** values) {
  return count > 1 && std::string_view(values[1]) == "complete";
}

Arguments complete_arguments(const CLI::App& app, int count, char** values) {
  Arguments arguments{.command = Command::complete};
  arguments.complete.shape = completion::shape_of(app);
  arguments.complete.words.assign(values + 2, values + count);
  return arguments;
}

void add_contract_file(CLI::App& command, MigrateOptions& options) {
  command
      .add_option("--contract", options.contract_file,
                  "The next version of the table's contract, put in force in the same step")
      ->type_name("FILE");
  command
      .add_option("--parameter", options.parameters,
                  "Value for a parameter of it, as in env=prod; by default those in force")
      ->type_name("NAME=VALUE");
}

void add_migrate_start(CLI::App& start, MigrateOptions& options) {
  start.add_option("--rename", options.rename, "A field gets another name")->type_name("OLD=NEW");
  start
      .add_option("--add", options.add,
                  "Every record gets a field: a number, true, false, null, a value as DynamoDB writes it "
                  "({\"L\":[]}), else a string")
      ->type_name("FIELD=VALUE");
  start.add_option("--having", options.having, "With --add: only records that have this field")
      ->type_name("FIELD");
  start.add_option("--remove", options.remove, "A field goes")->type_name("FIELD");
  start
      .add_option(
          "--key", options.key,
          "The records get another primary key, in a new table: its name, then how the key is made of "
          "fields, as in --key images2 'PK=USER#{userId}' 'SK=IMAGE#{id}'")
      ->type_name("TABLE PK=TEXT SK=TEXT")
      ->expected(2, 3);
  start
      .add_option("--back", options.back,
                  "With --key, where the new key's attributes have the names of the old one's: how the old "
                  "key is made")
      ->type_name("PK=TEXT SK=TEXT")
      ->expected(1, 2);
}

const CLI::App* add_migrate(CLI::App& app, MigrateOptions& options) {
  auto* migrate = app.add_subcommand(
      "migrate",
      "Add, rename or remove a field, or change the primary key, while a running server's table is in use");
  migrate->require_subcommand(1);
  const auto add = [&](const std::string& action, const std::string& text) {
    auto* command = migrate->add_subcommand(action, text);
    auto* table = command->add_option("TABLE", options.table, "Name of the table");
    table->required(action != "status");
    add_data(*command, options.data_dir, "The data directory of the server");
    command->add_flag("--json", options.as_json, "Print JSON");
    command->callback([&options, action] { options.action = action; });
    return command;
  };
  const auto add_rate = [&](CLI::App* command) {
    command->add_option("--rate", options.rate, "At most so many records a second; 0: as fast as may be")
        ->type_name("N")
        ->check(CLI::Range(int64_t{0}, int64_t{1'000'000}));
  };
  auto* start = add("start", "Begin one: what is written from now on has both, old and new");
  add_migrate_start(*start, options);
  add_contract_file(*start, options);
  add("status", "Say where migrations stand, and what comes next");
  add_rate(add("backfill", "Bring along the records that were there before; goes on after an interruption"));
  add("verify", "Look at every record: old and new must agree");
  add_contract_file(*add("switch", "Readers go by the new one from here on"), options);
  add("stop", "The old one is written no more");
  add_rate(add("drop", "Take the old one out of all records, for good"));
  add_rate(
      add("back-out", "Go back: first to where readers can use the old one, then to where nothing is left"));
  return migrate;
}

const CLI::App* add_work(CLI::App& app, WorkOptions& options) {
  constexpr int64_t lease_s_max = 3'600;
  constexpr std::size_t slots_max = 256;
  constexpr int nice_max = 19;
  auto* work = app.add_subcommand(
      "work", "Run built-in workers in a process of their own, for a server here or elsewhere");
  work->add_option("--endpoint", options.endpoint,
                   "The server; by default WAYBILL_SERVER, or http://127.0.0.1:8000")
      ->type_name("URL");
  work->add_option("--objects-endpoint", options.objects_endpoint,
                   "Where the objects are, by S3's protocol; by default the server itself")
      ->type_name("URL");
  work->add_option("--only", options.only, "These workers alone, as in photo,text")->type_name("LIST");
  work->add_option("--slots", options.slots,
                   "Jobs of one kind that are worked on at a time; 0: one for each processor")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{0}, slots_max))
      ->capture_default_str();
  work->add_option("--lease", options.lease_s,
                   "How soon others get a job that this process has lost; it is prolonged while it works")
      ->type_name("SECONDS")
      ->check(CLI::Range(int64_t{2}, lease_s_max))
      ->capture_default_str();
  work->add_option("--nice", options.nice,
                   "How far jobs stand back behind others on this machine, as in nice(1)")
      ->type_name("N")
      ->check(CLI::Range(0, nice_max))
      ->capture_default_str();
  work->add_option("--workflows", options.workflows,
                   "Folder with the files of workflows; without it jobs of workflows are left to others")
      ->type_name("DIR");
  work->add_option("--temp", options.folder, "Folder for files of jobs under way; by default TMPDIR, or /tmp")
      ->type_name("DIR");
  return work;
}

const CLI::App* add_tour(CLI::App& app, tour::TourOptions& options) {
  auto* tour = app.add_subcommand(
      "tour", "Show built-in workers at work on a running server, and tell what happened to each record");
  tour->add_option("--endpoint", options.endpoint,
                   "The server; by default WAYBILL_SERVER, or http://127.0.0.1:8000")
      ->type_name("URL");
  return tour;
}

const CLI::App* add_workflow(CLI::App& app, WorkflowOptions& options) {
  auto* workflow = app.add_subcommand("workflow", "Check files of workflows");
  workflow->require_subcommand(1);
  auto* check = workflow->add_subcommand("check", "Say what is wrong with them, with line and column");
  check->add_option("files", options.files, "Files of workflows")->required()->type_name("FILE");
  return check;
}

Arguments nothing(int exit_code) {
  Arguments arguments;
  arguments.exit_code = exit_code;
  return arguments;
}

Arguments refuse(const std::string& text) {
  std::cerr << "waybill: " << text << "\n";
  return nothing(usage_error);
}

Arguments serve_arguments(ServeOptions& options) {
  const auto address = server::parse_address(options.listen);
  if (!address) {
    return refuse(address.error().message);
  }
  options.config.host = address->host;
  options.config.port = address->port;
  options.config.version = version;
  options.config.relaxed_durability = options.durability == "relaxed";
  if (options.workers != "all") {
    auto workers = worker::read_worker_list("--workers", options.workers);
    if (!workers) {
      return refuse(workers.error().message);
    }
    options.config.workers = *std::move(workers);
  }
  if (const auto status = server::check(options.config); !status) {
    return refuse(status.error().message);
  }
  return {.command = Command::serve, .config = options.config};
}

}  // namespace

Arguments read_arguments(int count, char** values) {
  CLI::App app("Waybill: records, queues and history of asynchronous work, behind the DynamoDB protocol",
               "waybill");
  app.require_subcommand(1);
  ServeOptions options;
  const auto* serve = add_serve(app, options);
  BackupOptions backup_options;
  const auto* backup = add_backup(app, backup_options);
  const auto* restore = add_restore(app, backup_options);
  const auto* encryption = add_encryption(app, options.config.data_dir);
  CostOptions cost_options;
  const auto* cost = add_cost(app, cost_options);
  TransferOptions transfer_options;
  const auto* export_table = add_export(app, transfer_options);
  auto* import_table = add_import(app, transfer_options);
  PostgresImportOptions postgres_options;
  const auto* import_postgres = add_postgres_import(*import_table, postgres_options);
  ContractOptions contract_options;
  ControlOptions control_options;
  const auto contract = add_contract(app, contract_options, control_options);
  const auto* audit_verify = add_audit(app, control_options);
  const auto event = add_event(app, control_options);
  job::JobOptions job_options;
  const auto* job = job::add_job(app, job_options);
  std::string shell;
  const auto* completion = add_completion(app, shell);
  MigrateOptions migrate_options;
  const auto* migrate = add_migrate(app, migrate_options);
  WorkOptions work_options;
  const auto* work = add_work(app, work_options);
  tour::TourOptions tour_options;
  const auto* tour = add_tour(app, tour_options);
  WorkflowOptions workflow_options;
  const auto* workflow_check = add_workflow(app, workflow_options);
  const auto* print_version = app.add_subcommand("version", "Print the version");
  if (is_complete(count, values)) {
    return complete_arguments(app, count, values);
  }
  try {
    app.parse(count, values);
  } catch (const CLI::ParseError& error) {
    // Help is a "parse error" of code 0 to the library.
    const int code = app.exit(error, std::cout, std::cerr);
    return nothing(code == 0 ? 0 : usage_error);
  }
  if (print_version->parsed()) {
    return {.command = Command::version};
  }
  if (job->parsed()) {
    return {.command = Command::job, .job = job_options};
  }
  if (work->parsed()) {
    return {.command = Command::work, .work = work_options};
  }
  if (tour->parsed()) {
    return {.command = Command::tour, .tour = tour_options};
  }
  if (workflow_check->parsed()) {
    return {.command = Command::workflow_check, .workflow = workflow_options};
  }
  if (completion->parsed()) {
    return {.command = Command::completion, .shell = shell};
  }
  if (backup->parsed() || restore->parsed()) {
    return {.command = backup->parsed() ? Command::backup : Command::restore, .backup = backup_options};
  }
  if (cost->parsed()) {
    return {.command = Command::cost, .cost = cost_options};
  }
  if (contract.schema->parsed()) {
    return {.command = Command::contract_schema};
  }
  if (const auto command = control_command(contract)) {
    return {.command = *command, .control = control_options};
  }
  if (audit_verify->parsed()) {
    return {.command = Command::audit_verify, .control = control_options};
  }
  if (event.parked->parsed() || event.retry->parsed()) {
    return {.command = event.parked->parsed() ? Command::event_parked : Command::event_retry,
            .control = control_options};
  }
  if (migrate->parsed()) {
    return {.command = Command::migrate, .migrate = migrate_options};
  }
  if (contract.check->parsed()) {
    return {.command = Command::contract_check, .contract = contract_options};
  }
  if (contract.show->parsed() || contract.diff->parsed()) {
    return {.command = contract.show->parsed() ? Command::contract_show : Command::contract_diff,
            .contract = contract_options};
  }
  if (encryption->parsed()) {
    return {.command = Command::encryption, .config = options.config};
  }
  if (import_postgres->parsed()) {
    return {.command = Command::import_postgres, .postgres = postgres_options};
  }
  if (export_table->parsed() || import_table->parsed()) {
    return {.command = export_table->parsed() ? Command::export_table : Command::import_table,
            .transfer = transfer_options};
  }
  return serve->parsed() ? serve_arguments(options) : refuse("nothing to do; see waybill --help");
}

}  // namespace waybill::cli
