#include <utility>

#include "api/dynamodb/new_table.h"
#include "api/dynamodb/operations.h"
#include "api/dynamodb/table_description.h"
#include "api/dynamodb/table_lookup.h"
#include "api/dynamodb/table_request.h"
#include "api/dynamodb/tags.h"

namespace waybill::api::dynamodb {
namespace {

struct Request {
  std::optional<std::string_view> name;
  std::optional<std::string_view> billing;
  std::optional<GivenThroughput> throughput;
  GivenKeySchema key;
  GivenDefinitions definitions;
  GivenIndexes local_indexes;
  GivenIndexes global_indexes;
  std::optional<GivenStream> stream;
  std::optional<GivenEncryption> encryption;
  std::optional<std::string_view> table_class;
  std::optional<table::WantedLimits> limits;
  std::optional<GivenWarmThroughput> warm;
  std::optional<std::vector<GivenTag>> tags;
  std::optional<bool> deletion_protection;
  bool has_policy = false;
};

Result<Request> parse(const json::Value& body) {
  Reading reading;
  const Fields fields(body, reading);
  Request request;
  request.name = fields.string("TableName");
  request.billing = fields.string("BillingMode");
  request.throughput = read_throughput(fields);
  request.key = read_key_schema(fields);
  request.definitions = read_definitions(fields);
  request.local_indexes = read_indexes(fields, "LocalSecondaryIndexes", "LocalSecondaryIndex");
  request.global_indexes = read_indexes(fields, "GlobalSecondaryIndexes", "GlobalSecondaryIndex");
  request.stream = read_stream(fields);
  request.encryption = read_encryption(fields);
  request.table_class = fields.string("TableClass");
  request.limits = read_limits(fields);
  request.warm = read_warm_throughput(fields);
  request.tags = read_tags(fields);
  request.deletion_protection = fields.boolean("DeletionProtectionEnabled");
  request.has_policy = fields.string("ResourcePolicy").has_value();
  WAYBILL_TRY(reading.status());
  return request;
}

Result<std::string_view> check_name(const std::optional<std::string_view>& given) {
  if (!given) {
    return invalid("The parameter 'TableName' is required but was not present in the request");
  }
  const auto name = table_name_of(*given);
  Constraints constraints;
  constraints.name_pattern("tableName", name);
  constraints.length_min("tableName", name, name_length_min);
  constraints.length_max("tableName", name, name_length_max);
  WAYBILL_TRY(constraints.status());
  return name;
}

Status check_constraints(const Request& request) {
  Constraints constraints;
  constraints.one_of("billingMode", request.billing, {"PROVISIONED", "PAY_PER_REQUEST"});
  check_throughput(constraints, "provisionedThroughput", request.throughput);
  check_key_schema(constraints, "keySchema", request.key);
  constraints.not_null("attributeDefinitions", request.definitions);
  check_definitions(constraints, request.definitions);
  for (std::size_t i = 0; request.local_indexes && i < request.local_indexes->size(); ++i) {
    check_local_index(constraints, "localSecondaryIndexes." + std::to_string(i + 1) + ".member",
                      (*request.local_indexes)[i]);
  }
  for (std::size_t i = 0; request.global_indexes && i < request.global_indexes->size(); ++i) {
    check_global_index(constraints, "globalSecondaryIndexes." + std::to_string(i + 1) + ".member",
                       (*request.global_indexes)[i]);
  }
  constraints.one_of("tableClass", request.table_class, {"STANDARD", "STANDARD_INFREQUENT_ACCESS"});
  return constraints.status();
}

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

table::WantedTable take(const Request& request, std::string_view name) {
  table::WantedTable wanted;
  wanted.name = name;
  wanted.key = take_key(request.key);
  wanted.definitions = take_definitions(request.definitions);
  wanted.local_indexes = take_indexes(request.local_indexes);
  wanted.global_indexes = take_indexes(request.global_indexes);
  if (request.billing) {
    wanted.billing = *request.billing == "PAY_PER_REQUEST" ? table::BillingMode::pay_per_request
                                                           : table::BillingMode::provisioned;
  }
  wanted.throughput = take_throughput(request.throughput);
  wanted.limits = request.limits;
  return wanted;
}

Result<table::StreamSettings> take_stream_of(const std::optional<GivenStream>& stream) {
  if (!stream) {
    return table::StreamSettings();
  }
  Constraints constraints;
  constraints.not_null("streamSpecification.streamEnabled", stream->enabled);
  check_stream_view(constraints, *stream);
  WAYBILL_TRY(constraints.status());
  if (*stream->enabled) {
    return take_stream(*stream);
  }
  if (stream->view_type) {
    return table::invalid_parameter(
        "Table is being created with a stream disabled, UpdateViewType should not be specified");
  }
  return table::StreamSettings();
}

Status check_warm(const Request& request, table::BillingMode billing) {
  WAYBILL_TRY(check_warm_throughput(request.warm, billing, take_throughput(request.throughput)));
  for (std::size_t i = 0; request.global_indexes && i < request.global_indexes->size(); ++i) {
    const auto& index = (*request.global_indexes)[i];
    WAYBILL_TRY(check_warm_throughput(index.warm, billing, take_throughput(index.throughput)));
  }
  return {};
}

Result<table::Table> decide(const Request& request) {
  WAYBILL_TRY_ASSIGN(const auto name, check_name(request.name));
  WAYBILL_TRY(check_constraints(request));
  WAYBILL_TRY_ASSIGN(auto table, table::make_table(take(request, name)));
  WAYBILL_TRY_ASSIGN(table.stream, take_stream_of(request.stream));
  WAYBILL_TRY(check_warm(request, table.billing));
  if (request.has_policy) {
    return invalid("Resource policies are not available yet. Create the table without ResourcePolicy");
  }
  if (request.encryption) {
    WAYBILL_TRY_ASSIGN(table.encryption, take_encryption(*request.encryption));
  }
  if (request.tags) {
    WAYBILL_TRY_ASSIGN(table.tags, merge_tags({}, *request.tags));
  }
  // Descriptions name the class only where somebody has.
  table.table_class = request.table_class.value_or("");
  table.deletion_protection = request.deletion_protection.value_or(false);
  return table;
}

}  // namespace

Result<NewTable> make_new_table(const Services& services, const json::Value& parameters,
                                const std::optional<std::string_view>& name) {
  WAYBILL_TRY_ASSIGN(auto request, parse(parameters));
  if (name) {
    request.name = name;
  }
  NewTable made;
  WAYBILL_TRY_ASSIGN(made.table, decide(request));
  made.mentions_deletion_protection = request.deletion_protection.has_value();
  made.table.uuid = make_uuid4(services.entropy);
  made.table.created_at_ms = services.clock.wall_ms();
  if (made.table.billing == table::BillingMode::pay_per_request) {
    made.table.on_demand_since_ms = made.table.created_at_ms;
  }
  if (made.table.encryption.enabled && !services.encrypted_at_rest) {
    warn_of_plain_data(made.table.name);
  }
  return made;
}

void create_table(Call call, const json::Value& body) {
  auto made = make_new_table(call.services(), body);
  if (!made) {
    call.fail(made.error());
    return;
  }
  DescriptionOptions options{"CREATING", "CREATING", made->mentions_deletion_protection, {}};
  auto& store = call.store();
  store.create_table(
      std::move(made->table),
      answer_with(std::move(call), [options](const Services& services, const table::Table& table) {
        return table_description("TableDescription", services, table, TableStats(), options);
      }));
}

}  // namespace waybill::api::dynamodb
