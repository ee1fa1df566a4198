#include "asset/product_json.h"

#include <cmath>

namespace waybill::asset {

std::string artifacts_json(const std::vector<Artifact>& artifacts) {
  std::string text;
  json::Writer out(text);
  out.begin_array();
  for (const auto& artifact : artifacts) {
    out.begin_object().key("path").string(artifact.path);
    out.key("media_type").string(artifact.media_type);
    out.key("bytes").integer(static_cast<int64_t>(artifact.bytes));
    out.key("sha256").string(artifact.sha256).end_object();
  }
  out.end_array();
  return text;
}

std::string metrics_json(const std::vector<Metric>& metrics) {
  std::string text;
  json::Writer out(text);
  out.begin_object();
  for (const auto& metric : metrics) {
    out.key(metric.name);
    std::isfinite(metric.value) ? out.real(metric.value) : out.raw("null");
  }
  out.end_object();
  return text;
}

}  // namespace waybill::asset
