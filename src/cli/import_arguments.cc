#include "cli/import_arguments.h"

#include <CLI/CLI.hpp>

namespace waybill::cli {
namespace {

void add_ends(CLI::App& command, PostgresImportOptions& options) {
  command
      .add_option(
          "--from", options.connection,
          "The database: postgresql://USER@HOST/DATABASE, or \"host=… dbname=…\"; by default PGHOST and "
          "the other variables of libpq. Passwords are better kept in PGPASSWORD or ~/.pgpass")
      ->type_name("CONNECTION");
  command
      .add_option("--server", options.server,
                  "The server; by default WAYBILL_SERVER or AWS_ENDPOINT_URL, or http://127.0.0.1:8000")
      ->type_name("URL");
  command
      .add_option(
          "--progress", options.progress_file,
          "File that says how far the import is; by default in this directory, named after the mapping")
      ->type_name("FILE");
  command.add_option("--in-flight", options.in_flight, "How many batches are written at once")
      ->type_name("N")
      ->check(CLI::Range(1U, 64U))
      ->capture_default_str();
  command.add_option("--rate", options.rate, "At most so many rows a second; 0: as fast as may be")
      ->type_name("N")
      ->check(CLI::Range(uint64_t{0}, uint64_t{10'000'000}));
  command
      .add_option("--patience", options.patience_s,
                  "For how many seconds to try again where the server or the database is away")
      ->type_name("SECONDS")
      ->check(CLI::Range(int64_t{0}, int64_t{86'400}))
      ->capture_default_str();
}

}  // namespace

const CLI::App* add_postgres_import(CLI::App& import, PostgresImportOptions& options) {
  auto* const command = import.add_subcommand(
      "postgres", "Bring the rows of a PostgreSQL table or query to a running server, and check them there");
  command->add_option("MAPPING", options.mapping_file, "File that says what becomes of the rows")->required();
  add_ends(*command, options);
  auto* const dry_run = command->add_flag("--dry-run", options.dry_run, "Only show the first rows as items");
  command->add_option("--rows", options.dry_rows, "With --dry-run: how many")
      ->type_name("N")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1'000'000}))
      ->capture_default_str()
      ->needs(dry_run);
  auto* const prepare =
      command->add_flag("--prepare", options.prepare,
                        "Begin to note changes in the database, so that --follow can bring them along");
  auto* const follow =
      command->add_flag("--follow", options.follow,
                        "Import where that is not done yet, then bring changes along as they are made");
  auto* const check =
      command->add_flag("--check", options.check, "Only compare both sides; with --follow: afterwards");
  auto* const finish =
      command->add_flag("--finish", options.finish, "End the noting of changes: the move is over");
  command->add_flag("--drain", options.drain, "With --follow: end once no change is left")->needs(follow);
  command->add_flag("--restart", options.restart, "Import from the beginning, whatever was done before");
  command->add_flag("--no-check", options.skip_check, "Do not compare both sides after the import");
  command->add_flag("--force", options.force, "With --finish: although changes were not brought along")
      ->needs(finish);
  for (auto* const first : {dry_run, prepare, follow, check, finish}) {
    for (auto* const second : {dry_run, prepare, follow, check, finish}) {
      const bool may_meet = (first == follow && second == check) || (first == check && second == follow);
      if (first != second && !may_meet) {
        first->excludes(second);
      }
    }
  }
  return command;
}

}  // namespace waybill::cli
