#include "table/restore_rules.h"

#include <algorithm>
#include <utility>

namespace waybill::table {

namespace {

bool same_key(const KeySchema& a, const KeySchema& b) {
  const bool same_sort =
      a.sort.has_value() == b.sort.has_value() && (!a.sort || a.sort->name == b.sort->name);
  return a.partition.name == b.partition.name && same_sort;
}

bool same_projection(Projection a, Projection b) {
  std::ranges::sort(a.attributes);
  std::ranges::sort(b.attributes);
  return a.kind == b.kind && a.attributes == b.attributes;
}

Error no_such_index(const WantedIndex& wanted, std::string_view why) {
  return invalid_parameter("Index override " + wanted.name + " " + std::string(why) +
                           ". Only indexes of the source can be restored, as they are there, or left out");
}

// The index of the source that is meant, with what is otherwise.
Result<Index> find_wanted(const Table& source, const WantedIndex& wanted, IndexKind kind) {
  const Index* found = source.find_index(wanted.name);
  if (found == nullptr || found->kind != kind) {
    return no_such_index(wanted, "is not in the source");
  }
  WAYBILL_TRY(check_key_shape(wanted.key));
  WAYBILL_TRY(check_projection(wanted.projection));
  WAYBILL_TRY(check_defined({&wanted}, source.attribute_definitions));
  Index index = make_index(wanted, kind, source.attribute_definitions);
  if (!same_key(index.key, found->key) || !same_projection(index.projection, found->projection)) {
    return no_such_index(wanted, "has another key or projection than in the source");
  }
  if (!wanted.throughput) {
    index.throughput = found->throughput;
  }
  if (!wanted.limits) {
    index.on_demand_limits = found->on_demand_limits;
  }
  return index;
}

Status add_indexes(Table& table, const Table& source, IndexKind kind,
                   const std::optional<std::vector<WantedIndex>>& wanted) {
  if (!wanted) {
    std::ranges::copy_if(source.indexes, std::back_inserter(table.indexes),
                         [&](const Index& index) { return index.kind == kind; });
    return {};
  }
  for (const auto& one : *wanted) {
    if (table.find_index(one.name) != nullptr) {
      return invalid_parameter("Duplicate index name: " + one.name);
    }
    WAYBILL_TRY_ASSIGN(auto index, find_wanted(source, one, kind));
    table.indexes.push_back(std::move(index));
  }
  return {};
}

Status set_billing(Table& table, const Table& source, const WantedRestore& wanted, int64_t now_ms) {
  table.billing = wanted.billing.value_or(source.billing);
  if (table.billing == BillingMode::pay_per_request) {
    if (wanted.throughput) {
      return invalid_parameter(
          "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
          "PAY_PER_REQUEST");
    }
    table.on_demand_since_ms = now_ms;
    table.on_demand_limits = wanted.limits ? make_limits(wanted.limits) : source.on_demand_limits;
    for (auto& index : table.indexes) {
      index.throughput = Throughput();
    }
    return {};
  }
  if (wanted.throughput) {
    WAYBILL_TRY(check_capacity(*wanted.throughput));
    table.throughput.read_units = wanted.throughput->read;
    table.throughput.write_units = wanted.throughput->write;
  } else {
    table.throughput.read_units = source.throughput.read_units;
    table.throughput.write_units = source.throughput.write_units;
  }
  if (table.throughput.read_units == 0 || table.throughput.write_units == 0) {
    return invalid_parameter(
        "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED");
  }
  for (const auto& index : table.indexes) {
    if (index.kind == IndexKind::global && index.throughput.read_units == 0) {
      return invalid_parameter("ProvisionedThroughput is not specified for index: " + index.name);
    }
  }
  return {};
}

// What the keys still mention.
void keep_used_definitions(Table& table) {
  std::erase_if(table.attribute_definitions, [&](const KeyAttribute& attribute) {
    return !table.key.has(attribute.name) && std::ranges::none_of(table.indexes, [&](const Index& index) {
      return index.key.has(attribute.name);
    });
  });
}

}  // namespace

Result<Table> make_restored(const Table& source, const WantedRestore& wanted, int64_t now_ms) {
  Table table;
  table.name = wanted.name;
  table.created_at_ms = now_ms;
  table.key = source.key;
  table.attribute_definitions = source.attribute_definitions;
  WAYBILL_TRY(add_indexes(table, source, IndexKind::local, wanted.local_indexes));
  WAYBILL_TRY(add_indexes(table, source, IndexKind::global, wanted.global_indexes));
  for (auto& index : table.indexes) {
    index.scaling = {};  // as of the table itself: nothing of it is restored
  }
  keep_used_definitions(table);
  WAYBILL_TRY(set_billing(table, source, wanted, now_ms));
  table.table_class = source.table_class;
  table.encryption = wanted.encryption.value_or(source.encryption);
  return table;
}

}  // namespace waybill::table
