#include "rules/system_tables.h"

#include <future>
#include <memory>
#include <utility>

namespace waybill::rules {

namespace {

using item::Type;
using table::KeyAttribute;

// How the rows of a table come to their end.
enum class Expiry : unsigned char {
  none,
  walked,   // by `ttl`, within hours
  indexed,  // by `expires`, within seconds
};

struct Wanted {
  std::string_view name;
  KeyAttribute partition;
  std::optional<KeyAttribute> sort;
  std::vector<table::Index> indexes;
  Expiry expiry = Expiry::none;
};

table::Index index_by(std::string_view attribute) {
  table::Index index;
  index.name = attribute;
  index.key.partition = {std::string(attribute), Type::string};
  index.key.sort = KeyAttribute{"seq", Type::number};
  return index;
}

table::Index index_of_contents() {
  table::Index index;
  index.name = content_index;
  index.key.partition = {std::string(content_index), Type::string};
  index.projection.kind = table::ProjectionKind::keys_only;
  return index;
}

std::vector<Wanted> wanted_tables() {
  const KeyAttribute seq{"seq", Type::number};
  const KeyAttribute bucket{"bucket", Type::string};
  return {
      {journal_table,
       {"record", Type::string},
       seq,
       {index_by(pending_index), index_by(parked_index)},
       Expiry::walked},
      {tags_table, {"tag", Type::string}, KeyAttribute{"place", Type::string}, {}, Expiry::none},
      {keys_table, {"key", Type::string}, {}, {}, Expiry::walked},
      {archive_table, {"contract", Type::string}, seq, {}, Expiry::none},
      {trails_table, {"trail", Type::string}, {}, {}, Expiry::none},
      {leases_table, {"record", Type::string}, {}, {}, Expiry::none},
      {buckets_table, {"kind", Type::string}, KeyAttribute{"name", Type::string}, {}, Expiry::none},
      {objects_table, bucket, KeyAttribute{"key", Type::string}, {index_of_contents()}, Expiry::indexed},
      {uploads_table, bucket, KeyAttribute{"place", Type::string}, {}, Expiry::indexed},
      {parts_table,
       {"upload", Type::string},
       KeyAttribute{"number", Type::number},
       {index_of_contents()},
       Expiry::none},
      {freed_table, {"what", Type::string}, {}, {}, Expiry::none},
      {arrivals_table, {"object", Type::string}, {}, {}, Expiry::none},
      {versions_table, {"series", Type::string}, {}, {}, Expiry::none},
  };
}

table::Table make_table(const Wanted& wanted, int64_t now_ms, Entropy& entropy) {
  table::Table table;
  table.name = wanted.name;
  table.uuid = make_uuid4(entropy);
  table.created_at_ms = now_ms;
  table.key.partition = wanted.partition;
  table.key.sort = wanted.sort;
  table.attribute_definitions.push_back(wanted.partition);
  if (wanted.sort) {
    table.attribute_definitions.push_back(*wanted.sort);
  }
  table.indexes = wanted.indexes;
  for (const auto& index : wanted.indexes) {
    table.attribute_definitions.push_back(index.key.partition);
  }
  table.billing = table::BillingMode::pay_per_request;
  if (wanted.expiry != Expiry::none) {
    table.ttl.is_walked = wanted.expiry == Expiry::walked;
    table.ttl.attribute = table.ttl.is_walked ? "ttl" : "expires";
  }
  return table;
}

Status create(store::Store& store, table::Table table) {
  auto promise = std::make_shared<std::promise<Result<table::TablePtr>>>();
  auto made = promise->get_future();
  store.create_table(std::move(table),
                     [promise](Result<table::TablePtr> result) { promise->set_value(std::move(result)); });
  if (auto result = made.get(); !result) {
    return std::move(result).error();
  }
  return {};
}

}  // namespace

std::string name_of_row(std::string_view contract, std::string_view record, std::string_view within,
                        std::string_view last) {
  std::string name = std::string(contract).append("/").append(record).append("/");
  for (const char c : within) {
    name.append(c == '/' ? "%2F" : c == '%' ? "%25" : std::string(1, c));
  }
  return name.append("/").append(last);
}

std::string count_of_state(std::string_view contract, std::string_view record, std::string_view state) {
  return std::string("state/").append(contract).append("/").append(record).append("/").append(state);
}

std::string count_of_state(std::string_view contract, std::string_view record, std::string_view state,
                           std::string_view tenant) {
  return count_of_state(contract, record, state).append("/").append(tenant);
}

std::string count_of_tenant(std::string_view contract, std::string_view record, std::string_view tenant) {
  return std::string("tenant/").append(contract).append("/").append(record).append("/").append(tenant);
}

std::string count_of_day(std::string_view contract, std::string_view record, std::string_view tenant,
                         std::string_view day) {
  return std::string(counts_of_days)
      .append(contract)
      .append("/")
      .append(record)
      .append("/")
      .append(tenant)
      .append("/")
      .append(day);
}

std::string count_of_objects(std::string_view bucket) {
  return std::string("objects/").append(bucket);
}

std::string count_of_refusals(std::string_view contract, std::string_view record, std::string_view rule) {
  return std::string("refused/").append(contract).append("/").append(record).append("/").append(rule);
}

Status make_system_tables(store::Store& store, int64_t now_ms, Entropy& entropy) {
  for (const auto& wanted : wanted_tables()) {
    if (!store.find_table(wanted.name)) {
      WAYBILL_TRY(create(store, make_table(wanted, now_ms, entropy)));
    }
  }
  return {};
}

}  // namespace waybill::rules
