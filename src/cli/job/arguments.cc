#include "cli/job/arguments.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/job/field_values.h"

namespace waybill::cli::job {
namespace {

constexpr int64_t limit_max = 1'000'000;
constexpr int64_t replay_max = 1000;

enum class Id : unsigned char { none, needed, may_be };

void require(bool condition, const std::string& name, const std::string& what) {
  if (!condition) {
    throw CLI::ValidationError(name, what);
  }
}

std::string name_of(Id id) {
  return id == Id::none     ? "CONTRACT/RECORD"
         : id == Id::needed ? "CONTRACT/RECORD/ID"
                            : "CONTRACT/RECORD[/ID]";
}

void read_target(const std::string& text, Id id, Target& target) {
  const auto read = parse_target(text);
  require(read.has_value(), text, "write " + name_of(id));
  require(id != Id::none || read->id.empty(), text, "is one record: write CONTRACT/RECORD");
  require(id != Id::needed || !read->id.empty(), text, "write CONTRACT/RECORD/ID: which record?");
  target = *read;
}

void check_fields(const std::vector<std::string>& fields) {
  for (const auto& field : fields) {
    require(split_field(field).has_value(), field, "write FIELD=VALUE");
  }
}

void add_common(CLI::App& command, JobOptions& options) {
  command
      .add_option("--server", options.server,
                  "The server; by default WAYBILL_SERVER, or http://127.0.0.1:8000")
      ->type_name("URL");
  command
      .add_option("--actor", options.actor,
                  "Who acts, for histories and audit; by default WAYBILL_ACTOR, or USER")
      ->type_name("NAME");
  command.add_flag("--json", options.as_json, "Print the JSON of the API");
}

// A command about records of a kind, or about one.
CLI::App* add_command(CLI::App& job, JobOptions& options, const std::string& name, JobCommand command, Id id,
                      const std::string& text) {
  auto* const added = job.add_subcommand(name, text);
  const auto target = std::make_shared<std::string>();
  added
      ->add_option_function<std::string>(
          name_of(id), [target](const std::string& value) { *target = value; },
          id == Id::none ? "Which records" : "Which record")
      ->required()
      ->type_name("");
  added->callback([&options, target, command, id] {
    options.command = command;
    read_target(*target, id, options.target);
    check_fields(options.fields);
    const bool is_retry = command == JobCommand::retry;
    require(!is_retry || options.all == options.target.id.empty(), "retry",
            "write CONTRACT/RECORD/ID for one record, or CONTRACT/RECORD --all");
  });
  add_common(*added, options);
  return added;
}

void add_why(CLI::App& command, JobOptions& options) {
  command.add_option("--why", options.why, "The reason, for the history")->type_name("TEXT");
}

void add_create(CLI::App& job, JobOptions& options) {
  auto* const create = add_command(job, options, "create", JobCommand::create, Id::none, "Make a record");
  create
      ->add_option("FIELDS", options.fields,
                   "FIELD=VALUE: numbers, true, false, null, lists and maps as JSON, where the contract does "
                   "not say that the field is text")
      ->type_name("");
  create->add_option("--json-file", options.json_file, "A JSON object with fields; -: the standard input")
      ->type_name("FILE");
  create
      ->add_option("--key", options.key, "Idempotency key: the record is made once, however often it is sent")
      ->type_name("K");
}

void add_list(CLI::App& job, JobOptions& options) {
  auto* const list = add_command(job, options, "list", JobCommand::list, Id::none,
                                 "List records by the fields of a key or an index, or by tags");
  list->add_option("FIELDS", options.fields, "FIELD=VALUE")->type_name("");
  list->add_option("--tag", options.tags, "Records with this tag; may be given again")
      ->type_name("T")
      ->allow_extra_args(false);
  list->add_option("--match", options.match, "Of several tags")->check(CLI::IsMember({"any", "all"}));
  list->add_option("--order", options.order, "Which come first")->check(CLI::IsMember({"newest", "oldest"}));
  list->add_option("--index", options.index, "By this index")->type_name("NAME");
  list->add_option("--columns", options.columns, "Fields to show, with commas between")
      ->type_name("FIELD,…")
      ->delimiter(',')
      ->allow_extra_args(false);
  list->add_option("--limit", options.limit, "How many at most")
      ->type_name("N")
      ->check(CLI::Range(int64_t{1}, limit_max))
      ->capture_default_str();
  list->add_flag("--all", options.all, "All of them");
}

void add_counts(CLI::App& job, JobOptions& options) {
  auto* const counts = add_command(job, options, "counts", JobCommand::counts, Id::none,
                                   "Say how many records there are in each state");
  counts->add_option("--tenant", options.tenant, "Of this tenant alone")->type_name("T");
}

void add_retry(CLI::App& job, JobOptions& options) {
  auto* const retry = add_command(job, options, "retry", JobCommand::retry, Id::may_be,
                                  "Put a record that was given up back to work, or many");
  add_why(*retry, options);
  auto* const all = retry->add_flag("--all", options.all, "All that are in the dead-letter queue");
  retry->add_option("--max", options.max, "With --all: how many at most, from the oldest on")
      ->type_name("N")
      ->check(CLI::Range(int64_t{1}, replay_max))
      ->capture_default_str()
      ->needs(all);
}

}  // namespace

const CLI::App* add_job(CLI::App& app, JobOptions& options) {
  auto* const job = app.add_subcommand("job", "Make, look at and steer records of a running server");
  job->require_subcommand(1);
  add_create(*job, options);
  add_list(*job, options);
  add_counts(*job, options);
  add_command(*job, options, "show", JobCommand::show, Id::needed, "Show a record and its history");
  add_command(*job, options, "watch", JobCommand::watch, Id::may_be,
              "Follow what happens, until Ctrl-C; of one record, until it has ended");
  add_retry(*job, options);
  add_why(*add_command(*job, options, "cancel", JobCommand::cancel, Id::needed, "Cancel a record's work"),
          options);
  add_why(*add_command(*job, options, "approve", JobCommand::approve, Id::needed,
                       "Let work go on that waits for a decision"),
          options);
  add_why(*add_command(*job, options, "reject", JobCommand::reject, Id::needed,
                       "End work that waits for a decision"),
          options);
  return job;
}

}  // namespace waybill::cli::job
