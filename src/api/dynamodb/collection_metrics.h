#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "item/value.h"
#include "store/store.h"
#include "table/table.h"

// ItemCollectionMetrics: how large the items of one partition are together with their local index entries.
namespace waybill::api::dynamodb {

// An item collection: its table, and an item of the partition key alone, encoded.
struct CollectionKey {
  table::TablePtr table;
  std::string key;
};

// Whether ReturnItemCollectionMetrics means anything: only local indexes make collections.
bool wants_collection(const table::Table& table, const std::optional<std::string_view>& metrics);

// The partition key of `item` alone, encoded.
std::string collection_key_of(const table::Table& table, item::ItemView item);

// {"ItemCollectionKey":…,"SizeEstimateRangeGB":[…]}
void append_collection(json::Writer& writer, const store::Store& store, const table::Table& table,
                       item::ItemView key);

// "ItemCollectionMetrics":{table:[…],…}, each collection once; nothing where there is none.
void append_collections(json::Writer& writer, const store::Store& store,
                        const std::vector<CollectionKey>& collections);

}  // namespace waybill::api::dynamodb
