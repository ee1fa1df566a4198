#include "worker/assets/stage_key.h"

#include "asset/digest.h"

namespace waybill::worker::assets {
namespace {

// What the step's record, its idempotency key and the hash are made of, in one order.
void write_parts(json::Writer& writer, const Order& order, const StageWork& work) {
  writer.key("project_id").string(order.project_id);
  writer.key("asset_type").string(order.asset_type);
  writer.key("step_name").string(work.stage);
  writer.key("inputs").raw(work.inputs);
  writer.key("seed").integer(order.seed);
  writer.key("model_version").string(work.model_version);
}

}  // namespace

StageWork stage_work(const Order& order, asset::Stage stage, const std::vector<Made>& before,
                     std::string_view model_version) {
  StageWork work;
  work.stage = asset::name_of(stage);
  work.model_version = model_version;
  const auto parameters = order.parameters.find(work.stage);
  json::Writer writer(work.inputs);
  writer.begin_object().key("prompt").string(order.prompt);
  writer.key("parameters").raw(parameters == order.parameters.end() ? "{}" : parameters->second);
  writer.key("sources").begin_array();
  for (const auto& made : before) {
    for (const auto& artifact : made.artifacts) {
      writer.begin_object().key("stage").string(made.stage);
      writer.key("sha256").string(artifact.sha256).end_object();
    }
  }
  writer.end_array().end_object();
  return work;
}

std::string stage_key(const Order& order, const StageWork& work) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  write_parts(writer, order, work);
  writer.end_object();
  return asset::sha256_hex(text);
}

std::string step_request(const Order& order, const StageWork& work) {
  std::string fields;
  json::Writer writer(fields);
  writer.begin_object().key("job_id").string(order.job_id);
  write_parts(writer, order, work);
  writer.end_object();
  return fields;
}

std::string artifact_key(const Order& order, const StageWork& work, std::string_view name) {
  return order.project_id + "/" + work.stage + "/" + stage_key(order, work) + "/" + std::string(name);
}

}  // namespace waybill::worker::assets
