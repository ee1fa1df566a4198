#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/dynamodb/fields.h"
#include "table/create_rules.h"
#include "table/table.h"

// What requests that make or change tables have in common: each part is read (types), then checked
// (constraints), then taken (as plain data). Values are views into the request.
namespace waybill::api::dynamodb {

struct GivenKeyElement {
  std::optional<std::string_view> name;
  std::optional<std::string_view> type;
};
using GivenKeySchema = std::optional<std::vector<GivenKeyElement>>;

struct GivenDefinition {
  std::optional<std::string_view> name;
  std::optional<std::string_view> type;
};
using GivenDefinitions = std::optional<std::vector<GivenDefinition>>;

struct GivenProjection {
  std::optional<std::string_view> type;
  std::optional<std::vector<std::string_view>> attributes;
};

struct GivenThroughput {
  std::optional<int64_t> read_units;
  std::optional<int64_t> write_units;
};

struct GivenWarmThroughput {
  std::optional<int64_t> read_units;
  std::optional<int64_t> write_units;
};

struct GivenIndex {
  std::optional<std::string_view> name;
  GivenKeySchema key;
  std::optional<GivenProjection> projection;
  std::optional<GivenThroughput> throughput;
  std::optional<table::WantedLimits> limits;
  std::optional<GivenWarmThroughput> warm;
};
using GivenIndexes = std::optional<std::vector<GivenIndex>>;

struct GivenEncryption {
  std::optional<bool> enabled;
  std::optional<std::string_view> type;
  std::optional<std::string_view> key_id;
};

struct GivenStream {
  std::optional<bool> enabled;
  std::optional<std::string_view> view_type;
};

GivenKeySchema read_key_schema(const Fields& fields);
GivenDefinitions read_definitions(const Fields& fields);
GivenIndex read_index(const Fields& fields);
GivenIndexes read_indexes(const Fields& fields, std::string_view name, std::string_view type);
std::optional<GivenThroughput> read_throughput(const Fields& fields,
                                               std::string_view name = "ProvisionedThroughput");
std::optional<table::WantedLimits> read_limits(const Fields& fields,
                                               std::string_view name = "OnDemandThroughput");
std::optional<GivenWarmThroughput> read_warm_throughput(const Fields& fields);
std::optional<GivenEncryption> read_encryption(const Fields& fields,
                                               std::string_view name = "SSESpecification");
std::optional<GivenStream> read_stream(const Fields& fields);

void check_key_schema(Constraints& constraints, const std::string& path, const GivenKeySchema& key);
void check_definitions(Constraints& constraints, const GivenDefinitions& definitions);
void check_throughput(Constraints& constraints, const std::string& path,
                      const std::optional<GivenThroughput>& throughput);
void check_stream_view(Constraints& constraints, const GivenStream& stream);
// The service names a local index before its parts and a global one after them.
void check_local_index(Constraints& constraints, const std::string& path, const GivenIndex& index);
void check_global_index(Constraints& constraints, const std::string& path, const GivenIndex& index);

// Of parts that have passed their checks.
std::vector<table::KeyElement> take_key(const GivenKeySchema& key);
std::vector<table::KeyAttribute> take_definitions(const GivenDefinitions& definitions);
std::optional<table::CapacityUnits> take_throughput(const std::optional<GivenThroughput>& throughput);
table::WantedIndex take_index(const GivenIndex& index);

// Of a stream that is to be on.
Result<table::StreamSettings> take_stream(const GivenStream& stream);

// What this version can't do is refused, never silently left out.
Result<table::Encryption> take_encryption(const GivenEncryption& encryption);
Status check_warm_throughput(const std::optional<GivenWarmThroughput>& warm, table::BillingMode billing,
                             const std::optional<table::CapacityUnits>& units);

// Says in the log that this table wants to be encrypted, and that the server was started without a key.
void warn_of_plain_data(std::string_view table_name);

}  // namespace waybill::api::dynamodb
