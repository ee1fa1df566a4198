#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/database.h"
#include "table/table.h"

namespace waybill::engine {

// Finds expired items of tables that have no expiry index (TimeToLive::is_walked), by walking through them
// again and again, a few thousand items at a time. One that is walked through rests until an hour after the
// walk's begin. A restart begins anew.
//
// Used by one thread.
class ExpiryWalk {
 public:
  explicit ExpiryWalk(const Database& database) : database_(database) {}

  // The keys of expired items among the next that the walk comes by, at most keys_max; none where it rests.
  // At most one piece of a table is walked for one `round`.
  static constexpr std::size_t keys_max = 256;
  std::vector<std::string> next(const table::Table& table, int64_t now_seconds, uint64_t round);

 private:
  struct Walk {
    std::string from;  // the key that comes next; empty: the first
    int64_t began_at_seconds = 0;
    bool is_resting = false;
    uint64_t round = 0;
    std::size_t walked = 0;  // in that round
  };

  const Database& database_;
  std::unordered_map<table::SpaceId, Walk> walks_;
};

}  // namespace waybill::engine
