#include "server/migrate_commands.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>

#include "control/message.h"
#include "migration/machine.h"
#include "migration/wanted.h"

namespace waybill::server {

namespace {

constexpr auto look_interval = std::chrono::milliseconds(50);

std::optional<std::string> optional_text(const json::Value& request, std::string_view name) {
  const auto value = request.find(name);
  return value && value->is_string() ? std::optional<std::string>(value->string()) : std::nullopt;
}

int64_t total_of(const store::Store& store, const migration::Migration& migration) {
  const auto table = store.find_table(migration.table);
  return std::max(migration.seen, table ? store.stats(table->space).items : 0);
}

void append(json::Writer& out, const migration::Migration& migration, const store::Store& store) {
  out.begin_object().key("table").string(migration.table);
  out.key("kind").string(word_for(migration.kind)).key("what").string(describe(migration));
  out.key("step").string(word_for(migration.step)).key("next").string(next_words(migration));
  out.key("seen").integer(migration.seen).key("total").integer(total_of(store, migration));
  out.key("changed").integer(migration.changed).key("refused").integer(migration.refused);
  if (!migration.complaint.empty()) {
    out.key("complaint").string(migration.complaint);
  }
  if (!migration.failure.empty()) {
    out.key("failure").string(migration.failure);
  }
  out.end_object();
}

std::string json_of(const migration::Migration& migration, const store::Store& store) {
  std::string text;
  json::Writer out(text);
  append(out, migration, store);
  return text;
}

Result<std::optional<rules::Application>> contract_in(const json::Value& request) {
  const auto given = request.find("contract");
  if (!given || !given->is_object()) {
    return std::optional<rules::Application>();
  }
  rules::Application application;
  WAYBILL_TRY_ASSIGN(application.file, control::text_member(*given, "file"));
  WAYBILL_TRY_ASSIGN(application.text, control::text_member(*given, "text"));
  if (const auto parameters = given->find("parameters"); parameters && parameters->is_object()) {
    for (json::Members members(*parameters); members.next();) {
      application.parameters.emplace(members.key(), members.value().string());
    }
  }
  return std::optional(std::move(application));
}

Result<migration::KeyMaking> making_in(const json::Value& request, std::string_view name) {
  migration::KeyMaking making;
  if (const auto given = request.find(name); given && given->is_array()) {
    for (json::Elements parts(*given); parts.next();) {
      WAYBILL_TRY_ASSIGN(auto part, migration::read_pair(parts.value().string()));
      making.push_back(std::move(part));
    }
  }
  return making;
}

Result<migration::Migration> wanted_in(const json::Value& request) {
  migration::Migration wanted;
  WAYBILL_TRY_ASSIGN(wanted.table, control::text_member(request, "table"));
  if (const auto rename = optional_text(request, "rename")) {
    WAYBILL_TRY_ASSIGN(std::tie(wanted.old_field, wanted.new_field), migration::read_pair(*rename));
    return wanted;
  }
  if (const auto add = optional_text(request, "add")) {
    wanted.kind = migration::Kind::add;
    WAYBILL_TRY_ASSIGN(std::tie(wanted.new_field, wanted.initial), migration::read_pair(*add));
    WAYBILL_TRY_ASSIGN(wanted.initial, migration::read_initial(wanted.initial));
    wanted.having = optional_text(request, "having").value_or("");
    return wanted;
  }
  if (auto remove = optional_text(request, "remove")) {
    wanted.kind = migration::Kind::remove;
    wanted.old_field = *std::move(remove);
    return wanted;
  }
  wanted.kind = migration::Kind::key;
  WAYBILL_TRY_ASSIGN(wanted.new_table, control::text_member(request, "key"));
  WAYBILL_TRY_ASSIGN(wanted.make, making_in(request, "make"));
  WAYBILL_TRY_ASSIGN(wanted.back, making_in(request, "back"));
  return wanted;
}

migration::Tell tell_of(control::Progress& progress, std::string what) {
  return [&progress, what = std::move(what)](int64_t done, int64_t total) {
    return progress.report({what, static_cast<uint64_t>(done), static_cast<uint64_t>(total)});
  };
}

Result<migration::MigrationPtr> follow(const MigrateServices& services, const std::string& table,
                                       control::Progress& progress) {
  for (;;) {
    auto migration = services.migrations.find(table);
    if (!migration) {
      return Error{ErrorKind::not_found, "the table " + table + " is gone, and its migration with it", {}};
    }
    if (!is_walk(migration->step)) {
      const auto seen = static_cast<uint64_t>(migration->seen);
      progress.report({std::string(word_for(migration->step)), seen, seen});
      return migration;
    }
    if (!migration->failure.empty()) {
      return invalid("it came to a halt: " + migration->failure);
    }
    const control::Step step{std::string(word_for(migration->step)), static_cast<uint64_t>(migration->seen),
                             static_cast<uint64_t>(total_of(services.store, *migration))};
    if (!progress.report(step)) {
      return Error{ErrorKind::unavailable, "it goes on in the server", {}};
    }
    std::this_thread::sleep_for(look_interval);
  }
}

Result<migration::Command> command_in(const json::Value& request) {
  using migration::Command;
  constexpr std::array commands = {Command::backfill, Command::switch_reads, Command::stop, Command::drop,
                                   Command::back_out};
  WAYBILL_TRY_ASSIGN(const auto word, control::text_member(request, "step"));
  const auto found =
      std::ranges::find_if(commands, [&](Command command) { return word_for(command) == word; });
  if (found == commands.end()) {
    return invalid("there is no step \"" + word + "\"");
  }
  return *found;
}

}  // namespace

Result<std::string> start_migration(const MigrateServices& services, const json::Value& request,
                                    control::Progress& progress) {
  WAYBILL_TRY_ASSIGN(auto wanted, wanted_in(request));
  WAYBILL_TRY_ASSIGN(const auto contract, contract_in(request));
  WAYBILL_TRY_ASSIGN(const auto begun,
                     services.migrations.start(std::move(wanted), contract, tell_of(progress, "looking")));
  return json_of(*begun, services.store);
}

Result<std::string> list_migrations(const MigrateServices& services, const json::Value& request) {
  const auto wanted = optional_text(request, "table");
  std::string text;
  json::Writer out(text);
  out.begin_object().key("migrations").begin_array();
  for (const auto& migration : services.migrations.all()) {
    if (!wanted || migration->table == *wanted) {
      append(out, *migration, services.store);
    }
  }
  out.end_array().end_object();
  return text;
}

Result<std::string> step_migration(const MigrateServices& services, const json::Value& request,
                                   control::Progress& progress) {
  WAYBILL_TRY_ASSIGN(const auto table, control::text_member(request, "table"));
  WAYBILL_TRY_ASSIGN(const auto command, command_in(request));
  migration::CommandOptions options;
  WAYBILL_TRY_ASSIGN(options.contract, contract_in(request));
  if (const auto rate = request.find("rate")) {
    options.rate_per_second = rate->integer();
  }
  WAYBILL_TRY(services.migrations.command(table, command, options));
  WAYBILL_TRY_ASSIGN(const auto migration, follow(services, table, progress));
  return json_of(*migration, services.store);
}

Result<std::string> verify_migration(const MigrateServices& services, const json::Value& request,
                                     control::Progress& progress) {
  WAYBILL_TRY_ASSIGN(const auto table, control::text_member(request, "table"));
  WAYBILL_TRY_ASSIGN(const auto findings, services.migrations.verify(table, tell_of(progress, "verifying")));
  std::string text;
  json::Writer out(text);
  out.begin_object().key("records").integer(findings.records);
  out.key("disagreeing").integer(findings.disagreeing).key("example").string(findings.example);
  out.key("migration");
  append(out, *services.migrations.find(table), services.store);
  out.end_object();
  return text;
}

void add_migrate_commands(const MigrateServices& services, control::Handlers& handlers) {
  const auto add = [&](const std::string& name, auto command) {
    handlers.emplace(name, [services, command](const json::Value& request, control::Progress& progress) {
      return command(services, request, progress);
    });
  };
  add("migrate-start", start_migration);
  add("migrate-step", step_migration);
  add("migrate-verify", verify_migration);
  handlers.emplace("migrate-status", [services](const json::Value& request, control::Progress& /*progress*/) {
    return list_migrations(services, request);
  });
}

}  // namespace waybill::server
