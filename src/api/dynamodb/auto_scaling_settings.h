#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/dynamodb/call.h"
#include "api/dynamodb/fields.h"
#include "table/table.h"

// Auto scaling as DynamoDB's own operations speak of it. It is the same that Application Auto Scaling is
// told.
namespace waybill::api::dynamodb {

// An AutoScalingSettingsUpdate: what is not given stays as it was.
struct AutoScalingUpdate {
  std::optional<int64_t> units_min;
  std::optional<int64_t> units_max;
  std::optional<bool> disabled;
  std::optional<std::string> role_arn;
  std::optional<table::ScalingPolicy> policy;  // without id and time

  // nullopt where the member is not there.
  static std::optional<AutoScalingUpdate> read(const Fields& fields, std::string_view member);
};

// What new bounds and policies get beside what the request says.
struct ScalingIdentity {
  std::string id;
  int64_t now_ms = 0;
};

Status apply_auto_scaling(const AutoScalingUpdate& update, const ScalingIdentity& identity,
                          std::optional<table::ScalingBounds>& bounds);

// {"TableAutoScalingDescription":…}. A table has one replica, which is itself; it is left out where nothing
// is registered.
std::string auto_scaling_description(const Services& services, const table::Table& table);

}  // namespace waybill::api::dynamodb
