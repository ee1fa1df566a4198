#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "intake/digest.h"
#include "intake/session.h"
#include "intake/watcher.h"

namespace waybill::intake {

struct Difference {
  enum class Kind : unsigned char {
    missing,    // a row has no item
    different,  // the item is not what the row says
    extra,      // an item has no row
    doubled,    // two rows become one item
    rejected,   // a row can become no item
  };
  Kind kind = Kind::missing;
  std::string name;  // of the row, or the item's key where there is none
  std::string detail;
};

struct CheckReport {
  static constexpr std::size_t listed_max = 100;

  uint64_t rows = 0;     // that become items
  uint64_t expired = 0;  // rows whose time to live is over
  uint64_t items = 0;    // with a key that rows could have
  Digest source;         // checksum of the rows as items, by the attributes that rows decide about
  Digest target;         // of the items, by the same
  uint64_t differences = 0;
  std::vector<Difference> listed;  // the first of them
  uint64_t settled = 0;            // differed at first, and not when they were looked at again

  bool is_equal() const { return differences == 0; }
  void add(Difference difference);
};

// Compares every row, as it would be written, with the item that the server gives for it, and looks for items
// without a row. What differs is looked at a second time, since either side may have been in the middle of a
// change; checksums are of the first look. Memory is bounded: large tables take several walks.
Result<CheckReport> run_check(Session& session, Watcher& watcher);

}  // namespace waybill::intake
