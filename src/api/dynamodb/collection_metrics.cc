#include "api/dynamodb/collection_metrics.h"

#include <algorithm>
#include <cmath>

#include "item/json.h"
#include "table/key.h"

namespace waybill::api::dynamodb {
namespace {

constexpr double bytes_per_gb = 1024.0 * 1024.0 * 1024.0;

uint64_t collection_bytes(const store::Store& store, const table::Table& table, item::ItemView key) {
  std::string begin;
  table::append_partition(begin, *key.find(table.key.partition.name));
  const std::string end = table::after_prefix(begin);
  uint64_t bytes = store.approximate_bytes(table.space, begin, end);
  for (const auto& index : table.indexes) {
    if (index.kind == table::IndexKind::local) {
      bytes += store.approximate_bytes(index.space, begin, end);
    }
  }
  return bytes;
}

bool same_collection(const CollectionKey& a, const CollectionKey& b) {
  return a.table->space == b.table->space && a.key == b.key;
}

// Whether one of the first `count` collections satisfies `matches`.
template <typename Predicate>
bool earlier(const std::vector<CollectionKey>& collections, std::size_t count, Predicate matches) {
  return std::any_of(collections.begin(), collections.begin() + static_cast<std::ptrdiff_t>(count), matches);
}

}  // namespace

bool wants_collection(const table::Table& table, const std::optional<std::string_view>& metrics) {
  return metrics == "SIZE" && table.has_local_indexes();
}

std::string collection_key_of(const table::Table& table, item::ItemView item) {
  std::string key;
  if (const auto value = item.find(table.key.partition.name)) {
    item::append_attribute(key, table.key.partition.name, *value);
  }
  return key;
}

void append_collection(json::Writer& writer, const store::Store& store, const table::Table& table,
                       item::ItemView key) {
  // The service tells between which whole gigabytes the size lies.
  const double low = std::floor(static_cast<double>(collection_bytes(store, table, key)) / bytes_per_gb);
  writer.begin_object();
  item::append_json(writer.key("ItemCollectionKey").value_place(), key);
  writer.key("SizeEstimateRangeGB").begin_array().real(low).real(low + 1).end_array().end_object();
}

void append_collections(json::Writer& writer, const store::Store& store,
                        const std::vector<CollectionKey>& collections) {
  if (collections.empty()) {
    return;
  }
  writer.key("ItemCollectionMetrics").begin_object();
  for (std::size_t i = 0; i < collections.size(); ++i) {
    const auto same_table = [&](const CollectionKey& other) {
      return other.table->space == collections[i].table->space;
    };
    if (earlier(collections, i, same_table)) {
      continue;
    }
    writer.key(collections[i].table->name).begin_array();
    for (std::size_t j = i; j < collections.size(); ++j) {
      const auto same = [&](const CollectionKey& other) { return same_collection(other, collections[j]); };
      if (same_table(collections[j]) && !earlier(collections, j, same)) {
        append_collection(writer, store, *collections[j].table, item::ItemView(collections[j].key));
      }
    }
    writer.end_array();
  }
  writer.end_object();
}

}  // namespace waybill::api::dynamodb
