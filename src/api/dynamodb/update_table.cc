#include <memory>
#include <utility>

#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_description.h"
#include "api/dynamodb/table_lookup.h"
#include "api/dynamodb/table_request.h"
#include "table/update_rules.h"

namespace waybill::api::dynamodb {
namespace {

struct GivenIndexUpdate {
  std::optional<GivenIndex> create;
  std::optional<GivenIndex> update;  // name, throughput and limits alone
  std::optional<GivenIndex> remove;  // name alone
};

struct Request {
  std::optional<std::string_view> name;
  std::optional<std::string_view> billing;
  std::optional<GivenThroughput> throughput;
  GivenDefinitions definitions;
  std::vector<GivenIndexUpdate> indexes;
  std::optional<GivenStream> stream;
  std::optional<GivenEncryption> encryption;
  std::optional<std::string_view> table_class;
  std::optional<table::WantedLimits> limits;
  std::optional<bool> deletion_protection;
  std::string_view unavailable;  // a field for something this version does not have
};

std::vector<GivenIndexUpdate> read_index_updates(const Fields& fields) {
  std::vector<GivenIndexUpdate> updates;
  const auto elements = fields.structures("GlobalSecondaryIndexUpdates", "GlobalSecondaryIndexUpdate");
  for (std::size_t i = 0; elements && i < elements->size(); ++i) {
    const auto& element = (*elements)[i];
    const auto read = [&](std::string_view name, std::string_view type) -> std::optional<GivenIndex> {
      const auto action = element.structure(name, type);
      return action ? std::optional(read_index(*action)) : std::nullopt;
    };
    updates.push_back(GivenIndexUpdate{read("Create", "CreateGlobalSecondaryIndexAction"),
                                       read("Update", "UpdateGlobalSecondaryIndexAction"),
                                       read("Delete", "DeleteGlobalSecondaryIndexAction")});
  }
  return updates;
}

Result<Request> parse(const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  Request request;
  request.name = fields.string("TableName");
  request.billing = fields.string("BillingMode");
  request.throughput = read_throughput(fields);
  request.definitions = read_definitions(fields);
  request.indexes = read_index_updates(fields);
  request.stream = read_stream(fields);
  request.encryption = read_encryption(fields);
  request.table_class = fields.string("TableClass");
  request.limits = read_limits(fields);
  request.deletion_protection = fields.boolean("DeletionProtectionEnabled");
  for (const std::string_view name : {"ReplicaUpdates", "WarmThroughput", "MultiRegionConsistency",
                                      "GlobalTableWitnessUpdates", "GlobalTableSettingsReplicationMode"}) {
    request.unavailable = fields.has(name) ? name : request.unavailable;
  }
  WAYBILL_TRY(reading.status());
  return request;
}

void check_index_update(Constraints& constraints, const std::string& path, const GivenIndexUpdate& update) {
  if (update.create) {
    check_global_index(constraints, path + ".create", *update.create);
  }
  if (update.update) {
    constraints.not_null(path + ".update.indexName", update.update->name);
    check_throughput(constraints, path + ".update.provisionedThroughput", update.update->throughput);
  }
  if (update.remove) {
    constraints.not_null(path + ".delete.indexName", update.remove->name);
  }
}

// The service tells these one group at a time.
Status check_constraints(const Request& request) {
  Constraints throughput;
  check_throughput(throughput, "provisionedThroughput", request.throughput);
  WAYBILL_TRY(throughput.status());
  Constraints billing;
  billing.one_of("billingMode", request.billing, {"PROVISIONED", "PAY_PER_REQUEST"});
  WAYBILL_TRY(billing.status());
  Constraints table_class;
  table_class.one_of("tableClass", request.table_class, {"STANDARD", "STANDARD_INFREQUENT_ACCESS"});
  WAYBILL_TRY(table_class.status());
  Constraints others;
  check_definitions(others, request.definitions);
  for (std::size_t i = 0; i < request.indexes.size(); ++i) {
    check_index_update(others, "globalSecondaryIndexUpdates." + std::to_string(i + 1) + ".member",
                       request.indexes[i]);
  }
  if (request.stream) {
    others.not_null("streamSpecification.streamEnabled", request.stream->enabled);
    check_stream_view(others, *request.stream);
  }
  return others.status();
}

table::IndexChange take_index_update(const GivenIndexUpdate& given) {
  table::IndexChange change;
  if (given.create) {
    change.create = take_index(*given.create);
  }
  if (given.update) {
    change.update = table::IndexThroughputChange{
        std::string(*given.update->name), take_throughput(given.update->throughput), given.update->limits};
  }
  if (given.remove) {
    change.remove = std::string(*given.remove->name);
  }
  return change;
}

Result<table::WantedChange> take(const Request& request) {
  table::WantedChange change;
  change.definitions = take_definitions(request.definitions);
  if (request.billing) {
    change.billing = *request.billing == "PAY_PER_REQUEST" ? table::BillingMode::pay_per_request
                                                           : table::BillingMode::provisioned;
  }
  change.throughput = take_throughput(request.throughput);
  for (const auto& update : request.indexes) {
    change.indexes.push_back(take_index_update(update));
  }
  change.deletion_protection = request.deletion_protection;
  change.table_class = request.table_class;
  change.limits = request.limits;
  if (request.stream) {
    change.stream = table::StreamSettings();
    if (*request.stream->enabled) {
      WAYBILL_TRY_ASSIGN(change.stream, take_stream(*request.stream));
    }
  }
  if (request.encryption) {
    WAYBILL_TRY_ASSIGN(change.encryption, take_encryption(*request.encryption));
  }
  return change;
}

Status check_available(const Request& request) {
  if (!request.unavailable.empty()) {
    return invalid(std::string(request.unavailable) + " is not available yet");
  }
  for (const auto& index : request.indexes) {
    for (const auto* given : {&index.create, &index.update}) {
      if (*given && (*given)->warm) {
        return invalid("WarmThroughput is not available yet");
      }
    }
  }
  return {};
}

Result<table::WantedChange> decide(const store::Store& store, const Request& request) {
  WAYBILL_TRY_ASSIGN(const auto name, existing_table_name(request.name));
  WAYBILL_TRY(check_constraints(request));
  WAYBILL_TRY(check_available(request));
  WAYBILL_TRY_ASSIGN(auto change, take(request));
  if (change.empty()) {
    return invalid(
        "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
        "GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required");
  }
  WAYBILL_TRY(table::check_change(change));
  WAYBILL_TRY(store.may_know(name));
  if (!store.find_table(name)) {
    return table_not_found(name);
  }
  return change;
}

}  // namespace

void update_table(Call call, const json::Value& body) {
  const auto request = parse(body);
  auto change = request ? decide(call.store(), *request) : Result<table::WantedChange>(request.error());
  if (!change) {
    call.fail(change.error());
    return;
  }
  const std::string name(table_name_of(*request->name));
  if (change->encryption && change->encryption->enabled && !call.services().encrypted_at_rest) {
    warn_of_plain_data(name);
  }
  // The answer shows a table on its way: new units come into force behind it.
  const bool changes_units = change->throughput.has_value();
  auto before = std::make_shared<table::CapacityUnits>();
  auto& store = call.store();
  const auto now_ms = call.services().clock.wall_ms();
  store.change_table(
      name,
      [change = *std::move(change), before, now_ms](const table::Table& current) {
        *before = table::CapacityUnits{current.throughput.read_units, current.throughput.write_units};
        return table::apply_change(current, change, now_ms);
      },
      answer_with(std::move(call),
                  [before, changes_units](const Services& services, const table::Table& table) {
                    DescriptionOptions options;
                    options.status = changes_units ? "UPDATING" : current_status(table);
                    if (changes_units) {
                      options.units_were = *before;
                    }
                    // Who may change a table may know all of it.
                    return table_description("TableDescription", services, table,
                                             read_stats(services.unguarded_store, table), options);
                  }));
}

}  // namespace waybill::api::dynamodb
