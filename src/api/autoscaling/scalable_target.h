#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/dynamodb/call.h"
#include "api/dynamodb/fields.h"
#include "base/unique_function.h"
#include "store/store.h"
#include "table/table.h"

// Scalable targets: a table or a global index, for its reads or its writes.
namespace waybill::api::autoscaling {

struct TargetName {
  std::string table;
  std::string index;  // empty: the table itself
  bool is_reads = false;

  std::string resource_id() const;     // "table/NAME", "table/NAME/index/INDEX"
  std::string_view dimension() const;  // "dynamodb:table:ReadCapacityUnits", …
  std::string_view metric() const;     // "DynamoDBReadCapacityUtilization", …
  std::string in_words() const;        // for messages: namespace, resource and dimension
};

// ServiceNamespace, ResourceId and ScalableDimension of a request. Views live as long as the request.
struct TargetFields {
  std::optional<std::string_view> service_namespace;
  std::optional<std::string_view> resource_id;
  std::optional<std::string_view> dimension;

  static TargetFields read(const dynamodb::Fields& fields);
  // For requests that need all three.
  void check_present(dynamodb::Constraints& constraints) const;
  // Error invalid where they don't fit together.
  Result<TargetName> name() const;
};

void check_namespace(dynamodb::Constraints& constraints, const std::optional<std::string_view>& given);

// What is registered under a name in the table; null where the table has no such global index.
std::optional<table::ScalingBounds>* find_bounds(table::Table& table, const TargetName& name);

struct Target {
  TargetName name;
  table::ScalingBounds bounds;
};

// Everything that is registered: by table, then by index, reads first.
std::vector<Target> all_targets(const store::Store& store);

// Error not_found: "No scalable target <how> for service namespace: …".
Error no_target(std::string_view how, const TargetName& name);

std::string target_arn(const dynamodb::Services& services, const table::ScalingBounds& bounds);
std::string policy_arn(const dynamodb::Services& services, const TargetName& name,
                       const table::ScalingPolicy& policy);

// Changes what is registered under a name, on the writer, and puts the outcome into words.
struct BoundsChange {
  TargetName name;
  UniqueFunction<Status(std::optional<table::ScalingBounds>&)> change;
  UniqueFunction<std::string(const dynamodb::Services&, const std::optional<table::ScalingBounds>&)> render;
};

// Answers the call. `missing` is told where there is no such table or index.
void change_bounds(dynamodb::Call call, BoundsChange change, const Error& missing);

}  // namespace waybill::api::autoscaling
