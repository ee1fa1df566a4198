#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "migration/migration.h"
#include "rules/deployed.h"
#include "store/store.h"

namespace waybill::migration {

// The migrations of the store, and what they make of the rules of tables.
//
// Thread safety: every method may be called from any thread.
class Book {
 public:
  // Reads those in the store.
  static Result<std::unique_ptr<Book>> open(store::Store& store);

  // Null where the table has none. Of a change of the key it is that of the old table.
  MigrationPtr find(std::string_view table) const;
  // The one that makes this table, while it lasts; null where there is none.
  MigrationPtr find_by_new_table(std::string_view table) const;
  std::vector<MigrationPtr> all() const;  // by table

  // Keeps it, in the place of an older one of its table. Blocks its caller.
  Status put(Migration migration);
  // The same in memory alone, for how far a walk is.
  void remember(Migration migration);
  // Blocks its caller.
  Status forget(const std::string& table);

  // The rules of a table with its migration around them. See rules::Contracts::Options::wrap.
  store::RulesPtr wrap(const std::string& table, const rules::Deployed* deployed,
                       store::RulesPtr rules) const;

 private:
  explicit Book(store::Store& store) : store_(store) {}

  store::Store& store_;
  mutable std::mutex mutex_;  // guards what follows
  std::map<std::string, MigrationPtr, std::less<>> migrations_;
};

}  // namespace waybill::migration
