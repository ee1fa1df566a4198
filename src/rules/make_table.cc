#include "rules/make_table.h"

#include <algorithm>
#include <set>
#include <utility>

#include "queue/settings.h"
#include "table/create_rules.h"

namespace waybill::rules {

namespace {

using contract::FieldType;

bool is_number(FieldType type) {
  return type == FieldType::integer || type == FieldType::number || type == FieldType::epoch_ms ||
         type == FieldType::epoch_s;
}

// By the first kind that has a field of this name; texts otherwise, as keys that are made of fields are.
item::Type type_of(const contract::Contract& contract, const std::string& attribute) {
  for (const auto& record : contract.records) {
    const auto* const field = record.find(attribute);
    if (field == nullptr || record.key.contains(attribute)) {
      continue;
    }
    if (field->type == FieldType::binary) {
      return item::Type::binary;
    }
    return is_number(field->type) ? item::Type::number : item::Type::string;
  }
  return item::Type::string;
}

std::vector<table::KeyElement> key_elements(const contract::Names& names) {
  std::vector<table::KeyElement> key;
  for (const auto& name : names) {
    key.push_back({name.text, !key.empty()});
  }
  return key;
}

table::WantedIndex wanted_index(const contract::Contract::Table::Index& index) {
  table::WantedIndex wanted;
  wanted.name = index.name.text;
  wanted.key = key_elements(index.key);
  wanted.projection.kind = index.projection.kind;
  if (index.projection.kind == table::ProjectionKind::include) {
    wanted.projection.attributes = index.projection.attributes;
  }
  return wanted;
}

std::vector<table::KeyAttribute> definitions(const contract::Contract& contract) {
  std::vector<table::KeyAttribute> defined;
  std::set<std::string> known;
  const auto add = [&](const contract::Names& names) {
    for (const auto& name : names) {
      if (known.insert(name.text).second) {
        defined.push_back({name.text, type_of(contract, name.text)});
      }
    }
  };
  add(contract.table.key);
  for (const auto& index : contract.table.indexes) {
    add(index.key);
  }
  return defined;
}

table::WantedTable wanted_table(const Deployed& deployed) {
  const auto& contract = deployed.contract;
  table::WantedTable wanted;
  wanted.name = deployed.table;
  wanted.key = key_elements(contract.table.key);
  wanted.definitions = definitions(contract);
  wanted.billing = contract.table.billing;
  const bool is_provisioned = contract.table.billing == table::BillingMode::provisioned;
  const table::CapacityUnits units{contract.table.throughput.read_units,
                                   contract.table.throughput.write_units};
  if (is_provisioned) {
    wanted.throughput = units;
  }
  for (const auto& index : contract.table.indexes) {
    if (!wanted.global_indexes) {
      wanted.global_indexes.emplace();
    }
    wanted.global_indexes->push_back(wanted_index(index));
    if (is_provisioned) {
      wanted.global_indexes->back().throughput = units;
    }
  }
  return wanted;
}

void switch_on(const contract::Contract& contract, table::Table& table) {
  if (contract.table.ttl && !table.ttl.enabled()) {
    table.ttl.attribute = contract.table.ttl->text;
  }
  if (contract.table.recovery_days && !table.recovery.enabled) {
    table.recovery.enabled = true;
    table.recovery.days = *contract.table.recovery_days;
  }
  if (contract.table.stream && !table.stream.enabled) {
    table.stream.enabled = true;
    table.stream.view = *contract.table.stream;
  }
}

bool same_key(const table::KeySchema& a, const table::KeySchema& b) {
  const auto same = [](const table::KeyAttribute& one, const table::KeyAttribute& other) {
    return one.name == other.name && one.type == other.type;
  };
  return same(a.partition, b.partition) && a.sort.has_value() == b.sort.has_value() &&
         (!a.sort || same(*a.sort, *b.sort));
}

queue::Attributes attributes_of(const contract::Work::Queue& queue, const std::string& dead_letters) {
  constexpr int64_t retention_seconds = int64_t{14} * 24 * 60 * 60;
  queue::Attributes attributes;
  attributes["MessageRetentionPeriod"] = std::to_string(retention_seconds);
  if (queue.visibility_s > 0) {
    attributes["VisibilityTimeout"] = std::to_string(queue.visibility_s);
  }
  if (!dead_letters.empty()) {
    attributes["RedrivePolicy"] = R"({"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:)" +
                                  dead_letters + R"(","maxReceiveCount":)" +
                                  std::to_string(std::max<int64_t>(queue.receives_max, 1)) + "}";
  }
  return attributes;
}

Result<queue::Queue> make_queue(const std::string& name, queue::Attributes attributes, int64_t now_ms) {
  queue::Queue queue;
  queue.name = name;
  queue.created_ms = queue.changed_ms = now_ms;
  queue.attributes = std::move(attributes);
  WAYBILL_TRY_ASSIGN(queue.settings, queue::read_settings(queue.attributes));
  return queue;
}

}  // namespace

Result<table::Table> make_table(const Deployed& deployed, int64_t now_ms) {
  WAYBILL_TRY_ASSIGN(auto table, table::make_table(wanted_table(deployed)));
  table.created_at_ms = now_ms;
  table.on_demand_since_ms = table.billing == table::BillingMode::pay_per_request ? now_ms : 0;
  table.table_class = "";
  switch_on(deployed.contract, table);
  return table;
}

Result<table::Table> adapt_table(const Deployed& deployed, const table::Table& present, int64_t now_ms) {
  WAYBILL_TRY_ASSIGN(const auto wanted, make_table(deployed, now_ms));
  if (!same_key(wanted.key, present.key)) {
    return invalid("the table " + present.name + " is there with another key than contract " +
                   deployed.contract.name + " says; give the contract another table");
  }
  table::Table next = present;
  for (const auto& index : wanted.indexes) {
    if (next.find_index(index.name) == nullptr) {
      next.indexes.push_back(index);
    }
  }
  for (const auto& definition : wanted.attribute_definitions) {
    if (std::ranges::find(next.attribute_definitions, definition.name, &table::KeyAttribute::name) ==
        next.attribute_definitions.end()) {
      next.attribute_definitions.push_back(definition);
    }
  }
  switch_on(deployed.contract, next);
  return next;
}

Result<std::vector<queue::Queue>> make_queues(const Kind& kind, int64_t now_ms) {
  std::vector<queue::Queue> queues;
  if (kind.queue.empty()) {
    return queues;
  }
  if (!kind.dead_letters.empty()) {
    WAYBILL_TRY_ASSIGN(auto dead, make_queue(kind.dead_letters, attributes_of({}, {}), now_ms));
    queues.push_back(std::move(dead));
  }
  WAYBILL_TRY_ASSIGN(
      auto work, make_queue(kind.queue, attributes_of(kind.record->work->queue, kind.dead_letters), now_ms));
  queues.push_back(std::move(work));
  return queues;
}

}  // namespace waybill::rules
