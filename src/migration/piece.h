#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "item/value.h"
#include "migration/migration.h"
#include "migration/new_key.h"
#include "migration/spared.h"
#include "store/store.h"

// Walks over a table in pieces, by rising key. All of them block their callers.
namespace waybill::migration {

struct Record {
  std::string key;
  item::Item item;
};

// Up to `count` records behind a key, fewer where they are large; none where there are none.
Result<std::vector<Record>> read_records(const store::Store& store, const table::TablePtr& table,
                                         const std::string& behind, std::size_t count);

// Writes a record as it is by then, where it is still there: the rules of its table do the rest.
store::Transaction touch(const table::TablePtr& table, const Record& record,
                         std::shared_ptr<const store::Author> author);

// Called from time to time with how many records are done; false: end early.
using Tell = std::function<bool(int64_t done, int64_t total)>;

// Calls `look` with every record. Error unavailable where `tell` says to end early.
Status look_at_all(const store::Store& store, const table::TablePtr& table,
                   const std::function<Status(const Record& record)>& look, const Tell& tell);

// How a piece went.
struct Piece {
  std::string place;  // behind which the next one begins
  bool is_last = false;
  int64_t seen = 0;
  int64_t changed = 0;
  int64_t refused = 0;
  std::string complaint;
};

// Makes the next `count` records of the migration's table behind `migration.place` what they should be at its
// step, but for those that are spared. Records are written as they are, where they are still there: the
// table's rules do the rest.
Result<Piece> walk_piece(store::Store& store, const Migration& migration, const Spared& spared,
                         std::size_t count);

}  // namespace waybill::migration
