#pragma once

#include <string>
#include <vector>

#include "asset/provider.h"
#include "base/json.h"

// What a stage has made, as records and manifests keep it.
namespace waybill::asset {

// [{"path", "media_type", "bytes", "sha256"}]
std::string artifacts_json(const std::vector<Artifact>& artifacts);

// {"triangles": 51234.0}; what is not finite is null.
std::string metrics_json(const std::vector<Metric>& metrics);

}  // namespace waybill::asset
