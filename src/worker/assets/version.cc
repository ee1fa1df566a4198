#include "worker/assets/version.h"

#include <algorithm>

#include "asset/product_json.h"
#include "base/iso_time.h"
#include "base/json.h"

namespace waybill::worker::assets {
namespace {

std::string_view text_of(const json::Value& object, std::string_view name) {
  const auto found = object.is_object() ? object.find(name) : std::nullopt;
  return found && found->is_string() ? found->string() : std::string_view();
}

bool is_of(const json::Value& version, std::string_view job_id, std::string_view stage) {
  const auto metadata = version.find("metadata");
  return metadata && text_of(*metadata, "job_id") == job_id && text_of(*metadata, "step") == stage;
}

bool is_picture(const Order& order, std::string_view stage) {
  const auto known = asset::stage_of(stage);
  return order.is_flat() || (known && *known < asset::Stage::shape);
}

}  // namespace

Result<VersionPlan> plan_version(std::string_view list, std::string_view job_id, std::string_view stage) {
  json::Parser parser;
  const auto root = parser.parse_copy(list);
  const auto items = root && root->is_object() ? root->find("items") : std::nullopt;
  if (!items || !items->is_array()) {
    return Error{ErrorKind::malformed, "the server's list of versions cannot be read", {}};
  }
  VersionPlan plan;
  for (json::Elements each(*items); each.next();) {
    if (!each.value().is_object()) {
      continue;
    }
    const auto version = each.value().find("version");
    const bool is_number = version && version->type() == json::Type::number;
    plan.next = std::max(plan.next, is_number ? version->integer().value_or(0) + 1 : 1);
    plan.is_there = plan.is_there || is_of(each.value(), job_id, stage);
  }
  return plan;
}

std::string version_fields(const Order& order, const Made& made, int64_t version, const SignedUrl& url,
                           std::string_view model_version) {
  std::string fields;
  json::Writer writer(fields);
  writer.begin_object().key("project_id").string(order.project_id);
  writer.key("asset_id").string(order.asset_id).key("version").integer(version);
  writer.key("type").string(is_picture(order, made.stage) ? "2D" : "3D");
  writer.key("files").begin_array();
  for (const auto& artifact : made.artifacts) {
    writer.begin_object().key("name").string(artifact.name).key("key").string(artifact.key);
    writer.key("size").integer(artifact.bytes).end_object();
  }
  writer.end_array().key("cdn_url").string(url.url);
  writer.key("metadata").begin_object();
  writer.key("job_id").string(order.job_id).key("step").string(made.stage);
  writer.key("model_version").string(model_version);
  writer.key("url_expires_at").string(iso_time(url.until_ms));
  writer.key("metrics").raw(asset::metrics_json(made.metrics)).end_object().end_object();
  return fields;
}

std::string export_line(const Order& order, const Made& made, std::string_view actor) {
  std::string fields;
  json::Writer writer(fields);
  writer.begin_object().key("project_id").string(order.project_id);
  writer.key("actor").string(actor).key("action").string("export");
  writer.key("details").begin_object();
  writer.key("job_id").string(order.job_id).key("asset_id").string(order.asset_id);
  writer.key("files").begin_array();
  for (const auto& artifact : made.artifacts) {
    writer.begin_object().key("key").string(artifact.key).key("sha256").string(artifact.sha256);
    writer.end_object();
  }
  writer.end_array().end_object().end_object();
  return fields;
}

}  // namespace waybill::worker::assets
