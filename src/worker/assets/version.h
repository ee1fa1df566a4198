#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "worker/assets/made.h"
#include "worker/assets/order.h"

// Versions of assets: each stage makes one. Pure.
namespace waybill::worker::assets {

struct VersionPlan {
  bool is_there = false;  // this stage of this job has its version already
  int64_t next = 1;       // otherwise: the number of the new one
};

// From the list of an asset's latest versions. Error malformed where it is none.
Result<VersionPlan> plan_version(std::string_view list, std::string_view job_id, std::string_view stage);

// Where a version can be had without a key, and until when.
struct SignedUrl {
  std::string url;
  int64_t until_ms = 0;
};

// The record of a version. `model_version`: of the provider that made it.
std::string version_fields(const Order& order, const Made& made, int64_t version, const SignedUrl& url,
                           std::string_view model_version);

// The line of the audit that an export is.
std::string export_line(const Order& order, const Made& made, std::string_view actor);

}  // namespace waybill::worker::assets
