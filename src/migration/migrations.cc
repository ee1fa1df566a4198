#include "migration/migrations.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/log.h"
#include "migration/wait_for.h"
#include "migration/wanted.h"

namespace waybill::migration {

namespace {

constexpr std::size_t under_way_max = 100;

std::string told(const Migration& migration) {
  return "migration of table " + migration.table + ", " + describe(migration) + ": " +
         std::string(word_for(migration.step));
}

void begin_walk(Migration& migration) {
  migration.place.clear();
  migration.complaint.clear();
  migration.seen = migration.changed = migration.refused = 0;
}

}  // namespace

Result<std::unique_ptr<Migrations>> Migrations::open(store::Store& store, Book& book,
                                                     rules::Contracts& contracts, const Options& options) {
  std::unique_ptr<Migrations> migrations(new Migrations(store, book, contracts, options));
  WAYBILL_TRY(migrations->give_rules());
  return migrations;
}

Migrations::~Migrations() {
  {
    const std::lock_guard lock(walks_mutex_);
    stopping_ = true;
    wake_.notify_all();
  }
  for (auto& [table, walk] : walks_) {
    if (walk.thread.joinable()) {
      walk.thread.join();
    }
  }
}

Status Migrations::give_rules() {
  for (const auto& migration : book_.all()) {
    const bool is_dropped = migration->kind == Kind::key && migration->step == Step::dropping;
    if (!is_over(migration->step) && !is_dropped && !store_.find_table(migration->table)) {
      log_warning(told(*migration) + "; the table is gone, and the migration with it");
      WAYBILL_TRY(book_.forget(migration->table));
      continue;
    }
    if (!is_over(migration->step)) {
      WAYBILL_TRY(renew(*migration));
    }
  }
  return {};
}

void Migrations::go_on() {
  for (const auto& migration : book_.all()) {
    if (is_walk(migration->step) && migration->failure.empty()) {
      log_info(told(*migration) + " goes on");
      ensure_walk(migration->table);
    }
  }
}

Result<MigrationPtr> Migrations::expect(const std::string& table) const {
  auto found = book_.find(table);
  if (!found) {
    return Error{ErrorKind::not_found, "table " + table + " has no migration", {}};
  }
  return found;
}

// Neither the table nor the new one takes part in another migration.
Status Migrations::check_free(const Migration& wanted) const {
  std::size_t under_way = 0;
  for (const auto& other : book_.all()) {
    if (is_over(other->step)) {
      continue;
    }
    ++under_way;
    const bool meets = other->table == wanted.table || other->new_table == wanted.table ||
                       (!wanted.new_table.empty() &&
                        (other->table == wanted.new_table || other->new_table == wanted.new_table));
    if (meets) {
      return invalid("a migration of table " + other->table + " is under way: " + describe(*other) +
                     "; end it first, or back out of it");
    }
  }
  if (under_way >= under_way_max) {
    return invalid(std::to_string(under_way) + " migrations are under way, and no more can be");
  }
  if (!wanted.new_table.empty() && store_.find_table(wanted.new_table)) {
    return invalid("the table " + wanted.new_table +
                   " is there already: the migration makes it; delete it or take another name");
  }
  return {};
}

// Values under the new name would be taken for those of the old one.
Status Migrations::look_for_new_name(const Migration& wanted, const Tell& tell) const {
  const auto table = store_.find_table(wanted.table);
  if (!table || wanted.kind != Kind::rename) {
    return {};
  }
  const auto look = [&](const Record& record) {
    return record.item.view().find(wanted.new_field)
               ? Status(invalid("there are records with a field " + wanted.new_field +
                                " already: take another name, or remove that field first"))
               : Status();
  };
  return look_at_all(store_, table, look, tell);
}

Status Migrations::create_new_table(const Migration& migration) {
  const auto old = store_.find_table(migration.table);
  WAYBILL_TRY_ASSIGN(auto table, make_new_table(migration, *old, options_.clock->wall_ms()));
  table.uuid = make_uuid4(*options_.entropy);
  WAYBILL_TRY(wait_for<Result<table::TablePtr>>(
      [&](auto done) { store_.create_table(std::move(table), std::move(done)); }));
  return {};
}

// A table that has rules is not deleted: they go first.
Status Migrations::delete_table(const std::string& name) {
  if (!store_.find_table(name)) {
    return {};
  }
  WAYBILL_TRY(wait_for<Status>(
      [&](auto done) { store_.set_rules(name, nullptr, store::RulesAre::known, std::move(done)); }));
  const auto check = [](const table::Table& table) {
    return table.deletion_protection
               ? Status(invalid("the table " + table.name + " is protected against deletion"))
               : Status();
  };
  const auto deleted = wait_for<Result<table::TablePtr>>(
      [&](auto done) { store_.delete_table(name, check, std::move(done)); });
  if (deleted || deleted.error().kind == ErrorKind::not_found) {
    return {};
  }
  WAYBILL_TRY(contracts_.renew_rules(name));
  return deleted.error();
}

// Gives the tables of a migration their rules, as its step has them.
Status Migrations::renew(const Migration& migration) {
  for (const auto& table : {migration.table, migration.new_table}) {
    if (!table.empty() && store_.find_table(table)) {
      WAYBILL_TRY(contracts_.renew_rules(table));
    }
  }
  return {};
}

Status Migrations::enter(const Migration& migration) {
  WAYBILL_TRY(book_.put(migration));
  log_info(told(migration));
  return renew(migration);
}

// The step is kept before the contract is in force, with the one before: a crash between the two is mended by
// giving the command again.
Status Migrations::enter_with_contract(Migration migration, const rules::Application& contract) {
  const auto before = book_.find(migration.table);
  const auto present = contracts_.find_by_table(migration.table);
  if (!present) {
    return invalid("table " + migration.table + " has no contract: leave --contract away");
  }
  if (!migration.contract_before) {
    migration.contract_before.emplace().text = present->text;
    for (const auto& parameter : present->contract.parameters) {
      migration.contract_before->parameters.emplace(parameter.name, parameter.value);
    }
  }
  rules::Application application = contract;
  if (application.parameters.empty()) {
    application.parameters = migration.contract_before->parameters;
  }
  WAYBILL_TRY(enter(migration));
  if (auto replaced = contracts_.replace(application, migration.table); !replaced) {
    WAYBILL_TRY(before ? book_.put(*before) : book_.forget(migration.table));
    WAYBILL_TRY(renew(migration));
    return replaced.error();
  }
  return {};
}

// Before the step is kept: after a crash between the two it is done again.
Status Migrations::bring_contract_back(Migration& migration) {
  const auto before = std::exchange(migration.contract_before, std::nullopt);
  if (!before || !contracts_.find_by_table(migration.table)) {
    return {};
  }
  WAYBILL_TRY(contracts_.replace({"the contract before the migration", before->text, before->parameters},
                                 migration.table));
  return {};
}

Result<MigrationPtr> Migrations::start(Migration wanted, const std::optional<rules::Application>& contract,
                                       const Tell& tell) {
  const auto table = store_.find_table(wanted.table);
  if (!table || wanted.table.find(':') != std::string::npos) {
    return Error{ErrorKind::not_found, "there is no table " + wanted.table, {}};
  }
  if (contract && wanted.kind != Kind::remove) {
    return invalid("--contract goes with switch; with start only where a field is removed");
  }
  WAYBILL_TRY(check_free(wanted));
  WAYBILL_TRY(check_start(wanted, *table, contract ? nullptr : contracts_.find_by_table(wanted.table).get()));
  WAYBILL_TRY(look_for_new_name(wanted, tell));
  const std::lock_guard lock(steps_);
  WAYBILL_TRY(check_free(wanted));
  wanted.step = first_step(wanted.kind);
  wanted.started_ms = options_.clock->wall_ms();
  if (wanted.kind == Kind::key) {
    WAYBILL_TRY(create_new_table(wanted));
  }
  WAYBILL_TRY(contract ? enter_with_contract(wanted, *contract) : enter(wanted));
  if (contract) {
    const auto deployed = contracts_.find_by_table(wanted.table);
    if (auto checked = check_without(wanted.old_field, deployed.get()); !checked) {
      Migration undone = *book_.find(wanted.table);
      WAYBILL_TRY(bring_contract_back(undone));
      WAYBILL_TRY(book_.forget(wanted.table));
      WAYBILL_TRY(renew(undone));
      return checked.error();
    }
  }
  return book_.find(wanted.table);
}

// What must be so before the next step.
Status Migrations::check_command(const Migration& migration, Step next) const {
  const auto table = store_.find_table(migration.table);
  const auto deployed = contracts_.find_by_table(migration.table);
  if (migration.kind == Kind::key) {
    const auto& goes = next == Step::dropping ? migration.table : migration.new_table;
    const auto contract = contracts_.find_by_table(goes);
    if ((next == Step::dropping || next == Step::removing) && contract) {
      return invalid("the table " + goes + " is deleted by this, and contract " + contract->contract.name +
                     " is in force on it: withdraw it first");
    }
    return {};
  }
  if (next == Step::stopped) {
    return check_without(migration.old_field, deployed.get());
  }
  if (next == Step::dropping && table) {
    if (!check_without(migration.old_field, deployed.get())) {
      return invalid("contract " + deployed->contract.name + " names the field " + migration.old_field +
                     ", which would be gone for good: back out, and begin again");
    }
    return check_without(migration.old_field, *table);
  }
  if (next == Step::removing && table && migration.kind == Kind::rename) {
    WAYBILL_TRY(check_without(migration.new_field, deployed.get()));
    return check_without(migration.new_field, *table);
  }
  return {};
}

Result<MigrationPtr> Migrations::command(const std::string& table, Command command,
                                         const CommandOptions& options) {
  {
    const std::lock_guard lock(steps_);
    WAYBILL_TRY_ASSIGN(const auto present, expect(table));
    WAYBILL_TRY_ASSIGN(const Step next, step_after(present->kind, present->step, command));
    WAYBILL_TRY(check_command(*present, next));
    Migration migration = *present;
    if (is_walk(next) && migration.step != next) {
      begin_walk(migration);
    }
    migration.step = next;
    migration.failure.clear();
    migration.rate_per_second = options.rate_per_second.value_or(migration.rate_per_second);
    if (options.contract) {
      WAYBILL_TRY(migration.kind == Kind::key
                      ? Status(invalid("the contract of table " + migration.new_table +
                                       " is put in force with `waybill contract apply`, after the switch"))
                      : enter_with_contract(migration, *options.contract));
    } else {
      WAYBILL_TRY(owes_contract(migration) ? bring_contract_back(migration) : Status());
      WAYBILL_TRY(enter(migration));
    }
  }
  ensure_walk(table);
  return book_.find(table);
}

Result<Findings> Migrations::verify(const std::string& table, const Tell& tell) {
  WAYBILL_TRY_ASSIGN(const auto before, expect(table));
  WAYBILL_TRY(step_after(before->kind, before->step, Command::verify));
  const Spared spared(contracts_.find_by_table(table).get());
  WAYBILL_TRY_ASSIGN(auto findings, verify_records(store_, *before, spared, tell));
  const std::lock_guard lock(steps_);
  WAYBILL_TRY_ASSIGN(const auto present, expect(table));
  WAYBILL_TRY_ASSIGN(const Step next, step_after(present->kind, present->step, Command::verify));
  Migration migration = *present;
  migration.step = findings.disagreeing == 0 ? next : Step::filled;
  WAYBILL_TRY(enter(migration));
  return findings;
}

}  // namespace waybill::migration
