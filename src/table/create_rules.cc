#include "table/create_rules.h"

#include <algorithm>

namespace waybill::table {
namespace {

Status check_billing(const WantedTable& wanted) {
  const bool on_demand = wanted.billing == BillingMode::pay_per_request;
  if (on_demand && wanted.throughput) {
    return invalid_parameter(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST");
  }
  if (!on_demand && !wanted.throughput) {
    return invalid_parameter(
        "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED");
  }
  return wanted.throughput ? check_capacity(*wanted.throughput) : Status();
}

// The table's own key. The service tells a missing definition in other words for one element than for two,
// and takes two elements of one name for a missing definition.
Status check_table_key(const WantedTable& wanted) {
  if (wanted.key.size() == 1 && !wanted.definitions.empty()) {
    WantedIndex as_index;
    as_index.key = wanted.key;
    WAYBILL_TRY(check_defined({&as_index}, wanted.definitions));
  } else if (wanted.key.size() == 1 || wanted.key[0].name == wanted.key[1].name ||
             !find_definition(wanted.definitions, wanted.key[0].name) ||
             !find_definition(wanted.definitions, wanted.key[1].name)) {
    return invalid("Invalid KeySchema: Some index key attribute have no definition");
  }
  return check_key_shape(wanted.key);
}

Status check_index_lists(const WantedTable& wanted) {
  if (wanted.local_indexes && wanted.local_indexes->empty()) {
    return invalid_parameter("List of LocalSecondaryIndexes is empty");
  }
  if (wanted.global_indexes && wanted.global_indexes->empty()) {
    return invalid_parameter("List of GlobalSecondaryIndexes is empty");
  }
  if (wanted.local_indexes && wanted.key.size() < 2) {
    return invalid_parameter(
        "Table KeySchema does not have a range key, which is required when specifying a "
        "LocalSecondaryIndex");
  }
  return {};
}

std::vector<const WantedIndex*> pointers(const std::vector<WantedIndex>& indexes) {
  std::vector<const WantedIndex*> result;
  result.reserve(indexes.size());
  for (const auto& index : indexes) {
    result.push_back(&index);
  }
  return result;
}

Status check_names(const std::vector<WantedIndex>& indexes, std::vector<std::string_view>& taken) {
  for (const auto& index : indexes) {
    if (std::find(taken.begin(), taken.end(), index.name) != taken.end()) {
      return invalid_parameter("Duplicate index name: " + index.name);
    }
    taken.push_back(index.name);
  }
  return {};
}

Status check_local_key(const WantedIndex& index, const std::string& table_partition) {
  WAYBILL_TRY(check_key_shape(index.key));
  if (index.key.size() < 2) {
    return invalid_parameter("Index KeySchema does not have a range key for index: " + index.name);
  }
  if (index.key[0].name != table_partition) {
    return invalid_parameter(
        "Index KeySchema does not have the same leading hash key as table KeySchema for index: " +
        index.name + ". index hash key: " + index.key[0].name + ", table hash key: " + table_partition);
  }
  return {};
}

Status check_local_indexes(const WantedTable& wanted, std::vector<std::string_view>& taken) {
  const auto& indexes = *wanted.local_indexes;
  WAYBILL_TRY(check_defined(pointers(indexes), wanted.definitions));
  for (const auto& index : indexes) {
    WAYBILL_TRY(check_local_key(index, wanted.key[0].name));
    WAYBILL_TRY(check_projection(index.projection));
  }
  WAYBILL_TRY(check_names(indexes, taken));
  if (indexes.size() > local_indexes_max) {
    return invalid_parameter("Number of LocalSecondaryIndexes exceeds per-table limit of " +
                             std::to_string(local_indexes_max));
  }
  return {};
}

Status check_index_billing(const WantedTable& wanted, const WantedIndex& index) {
  const bool on_demand = wanted.billing == BillingMode::pay_per_request;
  if (on_demand && index.throughput) {
    return invalid_parameter("ProvisionedThroughput should not be specified for index: " + index.name +
                             " when BillingMode is PAY_PER_REQUEST");
  }
  if (!on_demand && !index.throughput) {
    return invalid_parameter("ProvisionedThroughput is not specified for index: " + index.name);
  }
  if (!on_demand && index.limits) {
    return invalid_parameter("MaxReadRequestUnits for OnDemandThroughput for index: " + index.name +
                             " cannot be specified when table BillingMode is PROVISIONED.");
  }
  if (index.throughput) {
    WAYBILL_TRY(check_capacity(*index.throughput));
  }
  return index.limits ? check_limits(*index.limits, "index : " + index.name) : Status();
}

Status check_global_indexes(const WantedTable& wanted, std::vector<std::string_view>& taken) {
  const auto& indexes = *wanted.global_indexes;
  WAYBILL_TRY(check_defined(pointers(indexes), wanted.definitions));
  for (const auto& index : indexes) {
    WAYBILL_TRY(check_key_shape(index.key));
    WAYBILL_TRY(check_projection(index.projection));
  }
  WAYBILL_TRY(check_names(indexes, taken));
  if (indexes.size() > global_indexes_max) {
    return invalid_parameter("GlobalSecondaryIndex count exceeds the per-table limit of " +
                             std::to_string(global_indexes_max));
  }
  for (const auto& index : indexes) {
    WAYBILL_TRY(check_index_billing(wanted, index));
  }
  return {};
}

std::vector<std::string_view> used_names(const WantedTable& wanted) {
  std::vector<std::string_view> used;
  for (const auto& element : wanted.key) {
    add_once(used, element.name);
  }
  for (const auto* indexes : {&wanted.local_indexes, &wanted.global_indexes}) {
    if (*indexes) {
      for (const auto& index : **indexes) {
        for (const auto& element : index.key) {
          add_once(used, element.name);
        }
      }
    }
  }
  return used;
}

// Every definition is used by some key, and none is given twice. The service has words of its own for a
// table with indexes.
Status check_definitions_used(const WantedTable& wanted) {
  const auto used = used_names(wanted);
  std::vector<std::string_view> defined;
  for (const auto& attribute : wanted.definitions) {
    add_once(defined, attribute.name);
  }
  if (used.size() == wanted.definitions.size()) {
    return {};
  }
  if (defined.size() > used.size() && (wanted.local_indexes || wanted.global_indexes)) {
    return invalid_parameter("Some AttributeDefinitions are not used. AttributeDefinitions: " +
                             listed(defined) + ", keys used: " + listed(used));
  }
  return invalid_parameter(
      "Number of attributes in KeySchema does not exactly match number of attributes defined in "
      "AttributeDefinitions");
}

Status check_table_limits(const WantedTable& wanted) {
  if (!wanted.limits) {
    return {};
  }
  if (wanted.billing != BillingMode::pay_per_request &&
      (wanted.limits->read_units_max || wanted.limits->write_units_max)) {
    return invalid_parameter(std::string(wanted.limits->read_units_max ? "MaxRead" : "MaxWrite") +
                             "RequestUnits for OnDemandThroughput cannot be specified when table BillingMode "
                             "is PROVISIONED.");
  }
  return check_limits(*wanted.limits, "table");
}

void add_indexes(Table& table, const std::optional<std::vector<WantedIndex>>& wanted, IndexKind kind) {
  if (!wanted) {
    return;
  }
  for (const auto& index : *wanted) {
    table.indexes.push_back(make_index(index, kind, table.attribute_definitions));
  }
}

}  // namespace

Result<Table> make_table(const WantedTable& wanted) {
  WAYBILL_TRY(check_billing(wanted));
  WAYBILL_TRY(check_table_key(wanted));
  WAYBILL_TRY(check_index_lists(wanted));
  std::vector<std::string_view> index_names;
  if (wanted.local_indexes) {
    WAYBILL_TRY(check_local_indexes(wanted, index_names));
  }
  if (wanted.global_indexes) {
    WAYBILL_TRY(check_global_indexes(wanted, index_names));
  }
  WAYBILL_TRY(check_definitions_used(wanted));
  WAYBILL_TRY(check_table_limits(wanted));

  Table table;
  table.name = wanted.name;
  table.attribute_definitions = wanted.definitions;
  table.key = make_key(wanted.key, wanted.definitions);
  add_indexes(table, wanted.local_indexes, IndexKind::local);
  add_indexes(table, wanted.global_indexes, IndexKind::global);
  WAYBILL_TRY(check_projected_count(table.indexes));
  table.billing = wanted.billing.value_or(BillingMode::provisioned);
  if (wanted.throughput) {
    table.throughput.read_units = wanted.throughput->read;
    table.throughput.write_units = wanted.throughput->write;
  }
  table.on_demand_limits = make_limits(wanted.limits);
  return table;
}

}  // namespace waybill::table
