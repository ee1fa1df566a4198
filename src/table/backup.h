#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "table/table.h"

namespace waybill::table {

// A backup that the service makes by itself is kept for this long.
inline constexpr int64_t service_backup_life_ms = int64_t{35} * 24 * 60 * 60 * 1000;

// All items of a table as they were at one moment.
struct Backup {
  std::string id;           // names it; "01731742800123-1a2b3c4d": when, and eight digits by chance
  std::string name;         // given by the client
  bool by_service = false;  // the last state of a table that was deleted
  bool available = false;   // false: it is being made
  int64_t created_ms = 0;
  int64_t expires_ms = 0;  // 0: never
  SpaceId space = 0;       // where its items stand
  int64_t items = 0;
  int64_t bytes = 0;  // by the service's counting
  Table table;        // as it was
};

using BackupPtr = std::shared_ptr<const Backup>;

std::string serialize(const Backup& backup);
Result<Backup> deserialize_backup(std::string_view text);

}  // namespace waybill::table
