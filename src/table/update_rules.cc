#include "table/update_rules.h"

#include <algorithm>

namespace waybill::table {
namespace {

constexpr int64_t day_ms = 24 * 60 * 60 * 1000;

const std::string& name_of(const IndexChange& change) {
  return change.create ? change.create->name : change.update ? change.update->name : *change.remove;
}

Error one_index_at_a_time() {
  return Error{
      ErrorKind::limit_exceeded,
      "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table",
      {}};
}

Error units_not_changing(std::string_view subject, const Throughput& current, const CapacityUnits& wanted) {
  const std::string of = " provisioned for the " + std::string(subject.substr(0, subject.find(' '))) + ": ";
  return invalid("The provisioned throughput for the " + std::string(subject) +
                 " will not change. The requested value equals the current value. Current "
                 "ReadCapacityUnits" +
                 of + std::to_string(current.read_units) +
                 ". Requested ReadCapacityUnits: " + std::to_string(wanted.read) +
                 ". Current WriteCapacityUnits" + of + std::to_string(current.write_units) +
                 ". Requested WriteCapacityUnits: " + std::to_string(wanted.write) +
                 ". Refer to the Amazon DynamoDB Developer Guide for current limits and how to request "
                 "higher limits.");
}

void set_units(Throughput& throughput, const CapacityUnits& wanted, int64_t now_ms) {
  if (throughput.last_decrease_ms / day_ms != now_ms / day_ms) {
    throughput.decreases_today = 0;
  }
  if (wanted.read < throughput.read_units || wanted.write < throughput.write_units) {
    throughput.last_decrease_ms = now_ms;
    ++throughput.decreases_today;
  }
  if (wanted.read > throughput.read_units || wanted.write > throughput.write_units) {
    throughput.last_increase_ms = now_ms;
  }
  throughput.read_units = wanted.read;
  throughput.write_units = wanted.write;
}

Status change_throughput(Table& table, const WantedChange& change, int64_t now_ms) {
  if (!change.throughput) {
    return {};
  }
  if (table.billing == BillingMode::pay_per_request) {
    return invalid_parameter(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST");
  }
  const auto& wanted = *change.throughput;
  WAYBILL_TRY(check_capacity(wanted));
  if (wanted.read == table.throughput.read_units && wanted.write == table.throughput.write_units) {
    return units_not_changing("table", table.throughput, wanted);
  }
  set_units(table.throughput, wanted, now_ms);
  return {};
}

void change_billing(Table& table, BillingMode billing, int64_t now_ms) {
  if (billing == BillingMode::pay_per_request && table.billing != billing) {
    table.on_demand_since_ms = now_ms;
    table.throughput = Throughput();  // indexes keep theirs, for the day it is provisioned again
  }
  if (billing == BillingMode::provisioned) {
    table.on_demand_limits.reset();
    for (auto& index : table.indexes) {
      index.on_demand_limits.reset();
    }
  }
  table.billing = billing;
}

// The service takes -1 for "no limit any more" here.
Status merge_limits(std::optional<OnDemandLimits>& limits, const WantedLimits& wanted,
                    std::string_view subject) {
  WantedLimits checked = wanted;
  for (auto* limit : {&checked.read_units_max, &checked.write_units_max}) {
    if (*limit == -1) {
      limit->reset();
    }
  }
  WAYBILL_TRY(check_limits(checked, subject));
  const auto current = limits.value_or(OnDemandLimits());
  limits = make_limits(WantedLimits{wanted.read_units_max.value_or(current.read_units_max),
                                    wanted.write_units_max.value_or(current.write_units_max)});
  return {};
}

Status change_limits(Table& table, const WantedChange& change) {
  if (!change.limits) {
    return {};
  }
  if (table.billing == BillingMode::provisioned) {
    return invalid_parameter(
        std::string(change.limits->read_units_max ? "MaxRead" : "MaxWrite") +
        "RequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED");
  }
  return merge_limits(table.on_demand_limits, *change.limits, "table");
}

// Definitions of before and those that come new; where both have an attribute, what it is stays.
void add_definitions(Table& table, const std::vector<KeyAttribute>& definitions) {
  for (const auto& added : definitions) {
    const auto same = [&](const KeyAttribute& attribute) { return attribute.name == added.name; };
    if (std::none_of(table.attribute_definitions.begin(), table.attribute_definitions.end(), same)) {
      table.attribute_definitions.push_back(added);
    }
  }
}

void drop_unused_definitions(Table& table) {
  std::erase_if(table.attribute_definitions, [&](const KeyAttribute& attribute) {
    return !table.defined_type(attribute.name).has_value();
  });
}

Status check_new_throughput(const Table& table, const WantedIndex& wanted) {
  const bool on_demand = table.billing == BillingMode::pay_per_request;
  if (on_demand && wanted.throughput) {
    return invalid_parameter("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: " +
                             wanted.name + " when BillingMode is PAY_PER_REQUEST");
  }
  if (!on_demand && !wanted.throughput) {
    return invalid_parameter("ProvisionedThroughput must be specified for index: " + wanted.name);
  }
  if (wanted.throughput) {
    WAYBILL_TRY(check_capacity(*wanted.throughput));
  }
  return wanted.limits ? check_limits(*wanted.limits, "index : " + wanted.name) : Status();
}

Status create_index(Table& table, const WantedIndex& wanted, const std::vector<KeyAttribute>& definitions) {
  if (table.find_index(wanted.name)) {
    return invalid_parameter("Index already exists: " + wanted.name);
  }
  WAYBILL_TRY(check_key_shape(wanted.key));
  WAYBILL_TRY(check_projection(wanted.projection));
  WAYBILL_TRY(check_defined({&wanted}, definitions));
  WAYBILL_TRY(check_new_throughput(table, wanted));
  const auto global = std::count_if(table.indexes.begin(), table.indexes.end(),
                                    [](const Index& index) { return index.kind == IndexKind::global; });
  if (static_cast<std::size_t>(global) >= global_indexes_max) {
    return Error{ErrorKind::limit_exceeded,
                 "Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of " +
                     std::to_string(global_indexes_max),
                 {}};
  }
  add_definitions(table, definitions);
  auto index = make_index(wanted, IndexKind::global, table.attribute_definitions);
  index.backfilling = true;
  table.indexes.push_back(std::move(index));
  return check_projected_count(table.indexes);
}

Index* find_global(Table& table, const std::string& name) {
  const auto found = std::find_if(table.indexes.begin(), table.indexes.end(), [&](const Index& index) {
    return index.name == name && index.kind == IndexKind::global;
  });
  return found == table.indexes.end() ? nullptr : &*found;
}

Status remove_index(Table& table, const std::string& name) {
  if (!find_global(table, name)) {
    return Error{ErrorKind::not_found, "Requested resource not found: Table: " + name + " not found", {}};
  }
  std::erase_if(table.indexes, [&](const Index& index) { return index.name == name; });
  return {};
}

Status update_index(Table& table, const IndexThroughputChange& change, int64_t now_ms) {
  auto* index = find_global(table, change.name);
  if (!index) {
    return invalid(
        "This operation cannot be performed with given input values. Please contact DynamoDB service team "
        "for more info: Action Blocked: IndexUpdate");
  }
  if (change.throughput) {
    if (table.billing == BillingMode::pay_per_request) {
      return invalid_parameter(
          "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: " + change.name +
          " when BillingMode is PAY_PER_REQUEST");
    }
    WAYBILL_TRY(check_capacity(*change.throughput));
    if (change.throughput->read == index->throughput.read_units &&
        change.throughput->write == index->throughput.write_units) {
      return units_not_changing("index " + change.name, index->throughput, *change.throughput);
    }
    set_units(index->throughput, *change.throughput, now_ms);
  }
  return change.limits ? merge_limits(index->on_demand_limits, *change.limits, "index : " + change.name)
                       : Status();
}

Status change_indexes(Table& table, const WantedChange& change, int64_t now_ms) {
  for (const auto& index : change.indexes) {
    if (index.create) {
      WAYBILL_TRY(create_index(table, *index.create, change.definitions));
    } else if (index.remove) {
      WAYBILL_TRY(remove_index(table, *index.remove));
    } else {
      WAYBILL_TRY(update_index(table, *index.update, now_ms));
    }
  }
  return {};
}

}  // namespace

bool WantedChange::empty() const {
  return !billing && !throughput && indexes.empty() && !deletion_protection && !table_class && !encryption &&
         !limits && !stream;
}

Status check_change(const WantedChange& change) {
  std::vector<std::string> names;
  std::size_t online = 0;
  for (const auto& index : change.indexes) {
    const int actions = (index.create ? 1 : 0) + (index.update ? 1 : 0) + (index.remove ? 1 : 0);
    if (actions == 0) {
      return invalid_parameter(
          "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
          "GlobalSecondaryIndexUpdate.Delete must not be null");
    }
    if (actions > 1) {
      return invalid_parameter(
          "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object");
    }
    if (std::find(names.begin(), names.end(), name_of(index)) != names.end()) {
      return invalid_parameter(
          "Only one global secondary index update per index is allowed simultaneously. Index: " +
          name_of(index));
    }
    names.push_back(name_of(index));
    online += index.update ? 0 : 1;
  }
  if (online > 1) {
    return one_index_at_a_time();
  }
  if (change.billing == BillingMode::provisioned && !change.throughput) {
    return invalid_parameter("ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
  }
  return {};
}

namespace {

Status change_stream(Table& table, const WantedChange& change) {
  if (!change.stream) {
    return {};
  }
  if (change.stream->enabled && table.stream.enabled) {
    return Error{ErrorKind::invalid, "Table already has an enabled stream: TableName: " + table.name, {}};
  }
  if (!change.stream->enabled && !table.stream.enabled) {
    return Error{ErrorKind::invalid, "Table has no stream to disable: TableName: " + table.name, {}};
  }
  table.stream.enabled = change.stream->enabled;
  if (table.stream.enabled) {
    table.stream.view = change.stream->view;
  }
  return {};
}

}  // namespace

Result<Table> apply_change(const Table& current, const WantedChange& change, int64_t now_ms) {
  Table table = current;
  if (change.billing) {
    change_billing(table, *change.billing, now_ms);
  }
  WAYBILL_TRY(change_throughput(table, change, now_ms));
  WAYBILL_TRY(change_limits(table, change));
  WAYBILL_TRY(change_indexes(table, change, now_ms));
  WAYBILL_TRY(change_stream(table, change));
  drop_unused_definitions(table);
  table.deletion_protection = change.deletion_protection.value_or(table.deletion_protection);
  table.table_class = change.table_class.value_or(table.table_class);
  if (change.encryption && !change.encryption->enabled && !table.encryption.enabled) {
    return invalid_parameter("Table is already encrypted by default");
  }
  table.encryption = change.encryption.value_or(table.encryption);
  return table;
}

}  // namespace waybill::table
