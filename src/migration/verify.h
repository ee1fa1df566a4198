#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "migration/migration.h"
#include "migration/piece.h"
#include "store/store.h"

namespace waybill::migration {

struct Findings {
  int64_t records = 0;
  int64_t disagreeing = 0;  // that are not as the backfill should have left them
  std::string example;      // the first of them, its key in words
};

// Looks at every record that is not spared, while others write. Blocks its caller.
Result<Findings> verify_records(const store::Store& store, const Migration& migration, const Spared& spared,
                                const Tell& tell);

}  // namespace waybill::migration
