#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engine/database.h"
#include "store/store.h"

namespace waybill::engine {

// Reads of committed data, straight from RocksDB on the caller's thread. Items whose time has passed are
// left out.
//
// Thread safety: every method may be called from any thread.
class Reader {
 public:
  Reader(const Database& database, const Clock& clock) : database_(database), clock_(clock) {}

  Result<std::optional<store::Found>> get(const table::Table& table, std::string_view key) const;
  Result<std::vector<std::optional<store::Found>>> get_together(
      const std::vector<store::GetRequest>& requests) const;
  Status read(const store::Range& range, store::Visitor& visitor) const;
  Status read_changes(const store::ChangeRange& range, store::ChangeVisitor& visitor) const;
  Result<table::ChangePlace> end_of_log(table::SpaceId log) const;
  uint64_t approximate_bytes(table::SpaceId space, std::string_view begin, std::string_view end) const;

 private:
  Result<std::optional<store::Found>> get_at(const rocksdb::ReadOptions& options, const table::Table& table,
                                             std::string_view key) const;
  Result<bool> is_alive(const store::Range& range, bool entry_knows_expiry, std::string_view key,
                        item::ItemView item, int64_t now_seconds) const;
  Status read_entries(const store::Range& range, store::Visitor& visitor) const;
  Status read_items(const store::Range& range, store::Visitor& visitor) const;

  const Database& database_;
  const Clock& clock_;
};

}  // namespace waybill::engine
