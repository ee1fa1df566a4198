#include "migration/book.h"

#include <algorithm>
#include <utility>

#include "migration/field_rules.h"
#include "migration/key_rules.h"
#include "migration/wait_for.h"

namespace waybill::migration {

namespace {

bool knows(const rules::Deployed& deployed, const std::string& field) {
  return std::ranges::any_of(deployed.kinds,
                             [&](const rules::Kind& kind) { return kind.record->find(field) != nullptr; });
}

// Names that the contract does not know, and may refuse.
std::vector<std::string> hidden_from(const rules::Deployed* deployed, const Migration& migration) {
  std::vector<std::string> hidden;
  for (const auto& name : {migration.old_field, migration.new_field}) {
    const bool is_foreign = deployed != nullptr && migration.kind != Kind::add && !name.empty();
    if (is_foreign && !knows(*deployed, name)) {
      hidden.push_back(name);
    }
  }
  return hidden;
}

}  // namespace

Result<std::unique_ptr<Book>> Book::open(store::Store& store) {
  std::unique_ptr<Book> book(new Book(store));
  WAYBILL_TRY_ASSIGN(const auto notes, store.notes(note_prefix));
  for (const auto& note : notes) {
    WAYBILL_TRY_ASSIGN(auto migration, read_migration(note));
    std::string table = migration.table;
    book->migrations_.emplace(std::move(table), std::make_shared<const Migration>(std::move(migration)));
  }
  return book;
}

MigrationPtr Book::find(std::string_view table) const {
  const std::lock_guard lock(mutex_);
  const auto found = migrations_.find(table);
  return found == migrations_.end() ? nullptr : found->second;
}

MigrationPtr Book::find_by_new_table(std::string_view table) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(migrations_, [&](const auto& entry) {
    const Migration& migration = *entry.second;
    return migration.kind == Kind::key && migration.new_table == table && !is_over(migration.step);
  });
  return found == migrations_.end() ? nullptr : found->second;
}

std::vector<MigrationPtr> Book::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<MigrationPtr> listed;
  listed.reserve(migrations_.size());
  for (const auto& [table, migration] : migrations_) {
    listed.push_back(migration);
  }
  return listed;
}

Status Book::put(Migration migration) {
  WAYBILL_TRY(wait_for<Status>([&](auto done) { store_.put_note(note_of(migration), std::move(done)); }));
  remember(std::move(migration));
  return {};
}

void Book::remember(Migration migration) {
  const std::lock_guard lock(mutex_);
  std::string table = migration.table;
  migrations_.insert_or_assign(std::move(table), std::make_shared<const Migration>(std::move(migration)));
}

Status Book::forget(const std::string& table) {
  WAYBILL_TRY(wait_for<Status>(
      [&](auto done) { store_.forget_note(std::string(note_prefix) + table, std::move(done)); }));
  const std::lock_guard lock(mutex_);
  migrations_.erase(table);
  return {};
}

store::RulesPtr Book::wrap(const std::string& table, const rules::Deployed* deployed,
                           store::RulesPtr rules) const {
  if (const auto migration = find(table); migration && !is_over(migration->step)) {
    if (migration->kind != Kind::key) {
      rules = make_field_rules(rule_of(*migration), hidden_from(deployed, *migration), Spared(deployed),
                               std::move(rules));
    } else if (migration->step != Step::removing) {
      const auto present = store_.find_table(table);
      const auto change = present ? KeyChange::make(*migration, present->key)
                                  : Result<KeyChange>(invalid("the table is gone"));
      if (change) {
        rules =
            make_old_table_rules({*change, table, migration->new_table, migration->step}, std::move(rules));
      }
    }
  }
  if (const auto migration = find_by_new_table(table); migration && migration->step != Step::dropping) {
    const auto old = store_.find_table(migration->table);
    const auto change =
        old ? KeyChange::make(*migration, old->key) : Result<KeyChange>(invalid("the table is gone"));
    if (change) {
      rules = make_new_table_rules({*change, migration->table, table, migration->step}, std::move(rules));
    }
  }
  return rules;
}

}  // namespace waybill::migration
