#include <algorithm>
#include <utility>
#include <vector>

#include "api/dynamodb/auto_scaling_settings.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_lookup.h"

namespace waybill::api::dynamodb {
namespace {

struct IndexUpdate {
  std::string index;
  AutoScalingUpdate update;
};

struct Request {
  std::string table;
  std::optional<AutoScalingUpdate> reads;
  std::optional<AutoScalingUpdate> writes;
  std::vector<IndexUpdate> index_reads;
  std::vector<IndexUpdate> index_writes;
};

std::vector<IndexUpdate> read_indexes(const Fields& fields, std::string_view list, std::string_view member) {
  std::vector<IndexUpdate> updates;
  for (const auto& one :
       fields.structures(list, "GlobalSecondaryIndexAutoScalingUpdate").value_or(std::vector<Fields>())) {
    if (auto update = AutoScalingUpdate::read(one, member)) {
      updates.push_back({std::string(one.string("IndexName").value_or("")), *std::move(update)});
    }
  }
  return updates;
}

// A table's reads are settings of its replica; the only one there is, is here.
Status read_replicas(const Services& services, const Fields& fields, Request& request) {
  const auto replicas = fields.structures("ReplicaUpdates", "ReplicaAutoScalingUpdate");
  if (!replicas) {
    return {};
  }
  for (const auto& replica : *replicas) {
    if (replica.string("RegionName") != services.region) {
      return invalid("One or more parameter values were invalid: the table has no replica but the one in " +
                     services.region);
    }
    request.reads = AutoScalingUpdate::read(replica, "ReplicaProvisionedReadCapacityAutoScalingUpdate");
    request.index_reads = read_indexes(replica, "ReplicaGlobalSecondaryIndexUpdates",
                                       "ProvisionedReadCapacityAutoScalingUpdate");
  }
  return {};
}

Result<Request> parse(const Services& services, const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  Request request;
  const auto given_name = fields.string("TableName");
  request.writes = AutoScalingUpdate::read(fields, "ProvisionedWriteCapacityAutoScalingUpdate");
  request.index_writes =
      read_indexes(fields, "GlobalSecondaryIndexUpdates", "ProvisionedWriteCapacityAutoScalingUpdate");
  WAYBILL_TRY(read_replicas(services, fields, request));
  WAYBILL_TRY(reading.status());
  WAYBILL_TRY_ASSIGN(request.table, existing_table_name(given_name));
  return request;
}

Result<table::Scaling*> find_scaling(table::Table& table, const std::string& index_name) {
  const auto found = std::ranges::find_if(table.indexes, [&](const table::Index& index) {
    return index.kind == table::IndexKind::global && index.name == index_name;
  });
  if (found == table.indexes.end()) {
    return Error{ErrorKind::not_found,
                 "Requested resource not found: Table: " + table.name + " has no index " + index_name,
                 {}};
  }
  return &found->scaling;
}

Result<table::Table> decide(const Request& request, const ScalingIdentity& identity, table::Table table) {
  if (request.reads) {
    WAYBILL_TRY(apply_auto_scaling(*request.reads, identity, table.scaling.reads));
  }
  if (request.writes) {
    WAYBILL_TRY(apply_auto_scaling(*request.writes, identity, table.scaling.writes));
  }
  for (const auto& [index, update] : request.index_reads) {
    WAYBILL_TRY_ASSIGN(auto* scaling, find_scaling(table, index));
    WAYBILL_TRY(apply_auto_scaling(update, identity, scaling->reads));
  }
  for (const auto& [index, update] : request.index_writes) {
    WAYBILL_TRY_ASSIGN(auto* scaling, find_scaling(table, index));
    WAYBILL_TRY(apply_auto_scaling(update, identity, scaling->writes));
  }
  return table;
}

}  // namespace

void update_table_replica_auto_scaling(Call call, const json::Value& body) {
  const auto request = parse(call.services(), body);
  if (!request) {
    call.fail(request.error());
    return;
  }
  auto& store = call.store();
  if (const auto admitted = store.may_know(request->table); !admitted) {
    call.fail(admitted.error());
    return;
  }
  if (!store.find_table(request->table)) {
    call.fail(table_not_found(request->table));
    return;
  }
  const ScalingIdentity identity{make_uuid4(call.services().entropy), call.services().clock.wall_ms()};
  store.change_table(
      request->table,
      [request = *request, identity](const table::Table& current) {
        return decide(request, identity, current);
      },
      answer_with(std::move(call), auto_scaling_description));
}

}  // namespace waybill::api::dynamodb
