#include "api/dynamodb/restore_request.h"

#include <utility>

#include "api/dynamodb/table_description.h"
#include "api/dynamodb/table_lookup.h"

namespace waybill::api::dynamodb {
namespace {

std::optional<std::vector<table::WantedIndex>> take_indexes(const GivenIndexes& given) {
  if (!given) {
    return std::nullopt;
  }
  std::vector<table::WantedIndex> indexes;
  for (const auto& index : *given) {
    indexes.push_back(take_index(index));
  }
  return indexes;
}

}  // namespace

GivenRestore read_restore(const Fields& fields) {
  GivenRestore given;
  given.name = fields.string("TargetTableName");
  given.billing = fields.string("BillingModeOverride");
  given.global_indexes = read_indexes(fields, "GlobalSecondaryIndexOverride", "GlobalSecondaryIndex");
  given.local_indexes = read_indexes(fields, "LocalSecondaryIndexOverride", "LocalSecondaryIndex");
  given.throughput = read_throughput(fields, "ProvisionedThroughputOverride");
  given.limits = read_limits(fields, "OnDemandThroughputOverride");
  given.encryption = read_encryption(fields, "SSESpecificationOverride");
  return given;
}

void check_restore(Constraints& constraints, const GivenRestore& given) {
  constraints.not_null("targetTableName", given.name);
  constraints.name_pattern("targetTableName", given.name);
  constraints.length_min("targetTableName", given.name, name_length_min);
  constraints.length_max("targetTableName", given.name, name_length_max);
  constraints.one_of("billingModeOverride", given.billing, {"PROVISIONED", "PAY_PER_REQUEST"});
  check_throughput(constraints, "provisionedThroughputOverride", given.throughput);
  for (std::size_t i = 0; given.local_indexes && i < given.local_indexes->size(); ++i) {
    check_local_index(constraints, "localSecondaryIndexOverride." + std::to_string(i + 1) + ".member",
                      (*given.local_indexes)[i]);
  }
  for (std::size_t i = 0; given.global_indexes && i < given.global_indexes->size(); ++i) {
    check_global_index(constraints, "globalSecondaryIndexOverride." + std::to_string(i + 1) + ".member",
                       (*given.global_indexes)[i]);
  }
}

Result<table::WantedRestore> take_restore(const GivenRestore& given) {
  table::WantedRestore wanted;
  wanted.name = *given.name;
  if (given.billing) {
    wanted.billing = *given.billing == "PAY_PER_REQUEST" ? table::BillingMode::pay_per_request
                                                         : table::BillingMode::provisioned;
  }
  wanted.throughput = take_throughput(given.throughput);
  wanted.limits = given.limits;
  wanted.local_indexes = take_indexes(given.local_indexes);
  wanted.global_indexes = take_indexes(given.global_indexes);
  if (given.encryption) {
    WAYBILL_TRY_ASSIGN(wanted.encryption, take_encryption(*given.encryption));
  }
  return wanted;
}

void begin_restore(Call call, Result<RestoreRequest> request) {
  if (!request) {
    call.fail(request.error());
    return;
  }
  auto& store = call.store();
  auto uuid = make_uuid4(call.services().entropy);
  const auto now_ms = call.services().clock.wall_ms();
  store.restore_table(
      std::move(request->source),
      [wanted = std::move(request->wanted), uuid = std::move(uuid),
       now_ms](const table::Table& origin) -> Result<table::Table> {
        WAYBILL_TRY_ASSIGN(auto table, table::make_restored(origin, wanted, now_ms));
        table.uuid = uuid;
        return table;
      },
      answer_with(std::move(call), [](const Services& services, const table::Table& begun) {
        DescriptionOptions options;
        options.status = "CREATING";
        options.index_status = "CREATING";
        return table_description("TableDescription", services, begun, TableStats(), options);
      }));
}

}  // namespace waybill::api::dynamodb
