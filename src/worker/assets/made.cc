#include "worker/assets/made.h"

#include <algorithm>

#include "asset/product_json.h"

namespace waybill::worker::assets {
namespace {

std::string text_of(const json::Value& object, std::string_view name) {
  const auto found = object.is_object() ? object.find(name) : std::nullopt;
  return found && found->is_string() ? std::string(found->string()) : std::string();
}

Artifact read_artifact(const json::Value& value) {
  Artifact artifact;
  artifact.name = text_of(value, "name");
  artifact.key = text_of(value, "key");
  artifact.media_type = text_of(value, "media_type");
  artifact.sha256 = text_of(value, "sha256");
  const auto bytes = value.is_object() ? value.find("bytes") : std::nullopt;
  artifact.bytes = bytes && bytes->type() == json::Type::number ? bytes->integer().value_or(0) : 0;
  return artifact;
}

}  // namespace

Made read_made(const json::Value& step) {
  Made made;
  made.stage = text_of(step, "step_name");
  made.job_id = text_of(step, "job_id");
  made.status = text_of(step, "status");
  if (const auto artifacts = step.find("artifacts"); artifacts && artifacts->is_array()) {
    for (json::Elements each(*artifacts); each.next();) {
      made.artifacts.push_back(read_artifact(each.value()));
    }
  }
  if (const auto metrics = step.find("metrics"); metrics && metrics->is_object()) {
    for (json::Members each(*metrics); each.next();) {
      if (each.value().type() == json::Type::number) {
        made.metrics.push_back({std::string(each.key()), each.value().number()});
      }
    }
  }
  return made;
}

Result<std::vector<Made>> read_made_list(std::string_view body) {
  json::Parser parser;
  const auto root = parser.parse_copy(body);
  const auto items = root && root->is_object() ? root->find("items") : std::nullopt;
  if (!items || !items->is_array()) {
    return Error{ErrorKind::malformed, "the server's list of steps cannot be read", {}};
  }
  std::vector<Made> all;
  for (json::Elements each(*items); each.next();) {
    if (!each.value().is_object()) {
      continue;
    }
    auto made = read_made(each.value());
    const auto before = std::ranges::find(all, made.stage, &Made::stage);
    if (before == all.end()) {
      all.push_back(std::move(made));
    } else {
      *before = std::move(made);
    }
  }
  return all;
}

std::string step_fields(const Made& made) {
  std::string fields;
  json::Writer writer(fields);
  writer.begin_object().key("artifacts").begin_array();
  for (const auto& artifact : made.artifacts) {
    writer.begin_object().key("name").string(artifact.name).key("key").string(artifact.key);
    writer.key("media_type").string(artifact.media_type);
    writer.key("bytes").integer(artifact.bytes);
    writer.key("sha256").string(artifact.sha256).end_object();
  }
  writer.end_array().key("metrics").raw(asset::metrics_json(made.metrics)).end_object();
  return fields;
}

const Made* find(const std::vector<Made>& all, std::string_view stage) {
  const auto found = std::ranges::find(all, stage, &Made::stage);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace waybill::worker::assets
