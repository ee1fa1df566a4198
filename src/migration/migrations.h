#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/clock.h"
#include "base/entropy.h"
#include "base/result.h"
#include "migration/book.h"
#include "migration/machine.h"
#include "migration/piece.h"
#include "migration/verify.h"
#include "rules/contracts.h"
#include "store/store.h"

namespace waybill::migration {

// What goes with a command.
struct CommandOptions {
  std::optional<int64_t> rate_per_second;      // of those that walk over the table; 0: as fast as may be
  std::optional<rules::Application> contract;  // of switch_reads: the next version of the table's contract
};

// Drives migrations from step to step, and walks over tables in the background. What was under way goes on
// after a restart.
//
// Thread safety: every method may be called from any thread. All block their callers.
class Migrations {
 public:
  struct Options {
    const Clock* clock = nullptr;
    Entropy* entropy = nullptr;
  };

  // All three outlive it; `contracts` wraps its rules with `book`. Tables have their rules when this returns.
  static Result<std::unique_ptr<Migrations>> open(store::Store& store, Book& book,
                                                  rules::Contracts& contracts, const Options& options);
  // Goes on with walks that were under way when the store was closed.
  void go_on();
  // Ends walks where they are.
  ~Migrations();
  Migrations(const Migrations&) = delete;
  Migrations& operator=(const Migrations&) = delete;

  // Begins one: `wanted` says what is to be done, and nothing of steps. The contract is that which a removal
  // puts in force.
  Result<MigrationPtr> start(Migration wanted, const std::optional<rules::Application>& contract,
                             const Tell& tell);

  // Takes a migration to its next step, or begins the walk that leads there: see step_after. Not verify.
  Result<MigrationPtr> command(const std::string& table, Command command, const CommandOptions& options);

  // Looks at every record; the step is verified where all agree.
  Result<Findings> verify(const std::string& table, const Tell& tell);

  // Null where the table has no migration. Its tables have the rules of the step that it is at.
  MigrationPtr find(std::string_view table) const {
    const std::lock_guard lock(steps_);
    return book_.find(table);
  }
  std::vector<MigrationPtr> all() const { return book_.all(); }

 private:
  struct Walk {
    std::thread thread;
    bool is_running = false;
  };

  Migrations(store::Store& store, Book& book, rules::Contracts& contracts, const Options& options)
      : store_(store), book_(book), contracts_(contracts), options_(options) {}

  Status give_rules();
  Result<MigrationPtr> expect(const std::string& table) const;
  Status check_free(const Migration& wanted) const;
  Status check_command(const Migration& migration, Step next) const;
  Status look_for_new_name(const Migration& wanted, const Tell& tell) const;
  Status create_new_table(const Migration& migration);
  Status delete_table(const std::string& name);
  Status enter(const Migration& migration);
  Status renew(const Migration& migration);
  Status enter_with_contract(Migration migration, const rules::Application& contract);
  Status bring_contract_back(Migration& migration);
  void ensure_walk(const std::string& table);
  void walk(const std::string& table);
  MigrationPtr next_to_walk(const std::string& table);
  Status walk_on(const MigrationPtr& from);
  Status take_down(const Migration& migration);
  Status finish_walk(const MigrationPtr& from);
  Status keep(const MigrationPtr& from, const Migration& next, bool on_disk);
  void halt(const MigrationPtr& from, const Error& error);
  void pause(int64_t wait_ms);
  bool is_stopping();

  store::Store& store_;
  Book& book_;
  rules::Contracts& contracts_;
  const Options options_;
  // Held while a step is taken or a place is kept, so that they follow on one another.
  mutable std::mutex steps_;
  std::mutex walks_mutex_;  // guards what follows
  std::condition_variable wake_;
  bool stopping_ = false;
  std::map<std::string, Walk> walks_;
};

}  // namespace waybill::migration
