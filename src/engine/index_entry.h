#pragma once

#include <string>

#include "engine/layout.h"
#include "table/key.h"
#include "table/table.h"

namespace waybill::engine {

// What an index shows of an item. The record is the item's own where the index keeps all attributes, else it
// points into `projected`, which is filled.
inline layout::Record entry_record(const table::Table& table, const table::Index& index,
                                   const layout::Record& version, std::string& projected) {
  if (index.shows_whole_items()) {
    return version;
  }
  table::append_projected(projected, table, index, version.item);
  const item::ItemView kept(projected);
  return {item::size_bytes(kept), kept};
}

}  // namespace waybill::engine
