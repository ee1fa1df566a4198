#include "worker/assets/workshop.h"

#include <filesystem>
#include <utility>

#include "base/json.h"
#include "worker/trouble.h"

namespace waybill::worker::assets {
namespace {

Error in_stage(const std::string& stage, const Error& error) {
  const std::string says = "stage " + stage + ": " + error.message;
  return asset::may_succeed_later(error) ? passing_trouble("STAGE_UNAVAILABLE", says)
                                         : final_trouble("STAGE_FAILED", says);
}

std::vector<asset::Metric> lasting(const std::vector<asset::Metric>& metrics) {
  auto kept = metrics;
  std::erase_if(kept, [](const asset::Metric& metric) { return metric.name == elapsed_metric; });
  return kept;
}

}  // namespace

// The record of this step, made where there is none; where the same was asked for before, the one of then. A
// key that stands for a record that is gone, or is not to be seen, is no reason to stop.
Result<Made> Workshop::claim(const StageWork& work) {
  const auto body =
      task_.jobs().create(task_.records("step"), step_request(order_, work), "", task_.calling());
  if (!body) {
    return body.error().kind == ErrorKind::key_in_use ? Result<Made>(Made()) : body.error();
  }
  json::Parser parser;
  const auto record = parser.parse_copy(*body);
  return record && record->is_object() ? read_made(*record) : Made();
}

// Whether its artifacts are there. They lie under keys of what they are made of, so those that are there are
// the right ones.
Result<bool> Workshop::is_whole(const Made& made) {
  for (const auto& artifact : made.artifacts) {
    const auto info = task_.objects().head({bucket_, artifact.key}, task_.calling());
    if (!info && info.error().kind != ErrorKind::not_found) {
      return object_trouble(info.error(), "an artifact");
    }
    if (!info || info->bytes != artifact.bytes) {
      return false;
    }
  }
  return !made.artifacts.empty();
}

Result<std::vector<asset::Input>> Workshop::fetch_inputs(const std::vector<Made>& before) {
  std::vector<asset::Input> inputs;
  for (const auto& made : before) {
    const auto folder = task_.file(made.stage);
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    for (const auto& artifact : made.artifacts) {
      const auto path = folder + "/" + std::filesystem::path(artifact.name).filename().string();
      if (!std::filesystem::exists(path, failure)) {
        WAYBILL_TRY(task_.fetch({bucket_, artifact.key}, path, "what " + made.stage + " has made"));
      }
      inputs.push_back({made.stage, path, artifact.media_type, artifact.sha256, lasting(made.metrics)});
    }
  }
  return inputs;
}

Result<asset::Product> Workshop::run(const StageWork& work, const std::vector<Made>& before) {
  asset::Task wanted;
  wanted.stage = work.stage;
  wanted.prompt = order_.prompt;
  wanted.seed = order_.seed;
  WAYBILL_TRY_ASSIGN(wanted.inputs, fetch_inputs(before));
  if (const auto found = order_.parameters.find(work.stage); found != order_.parameters.end()) {
    wanted.parameters = found->second;
  }
  wanted.output_folder = task_.file(work.stage);
  const auto begun_ms = task_.tools().clock->steady_ms();
  auto product = provider_.run(wanted);
  if (!product) {
    return in_stage(work.stage, product.error());
  }
  product->metrics.push_back(
      {std::string(elapsed_metric), static_cast<double>(task_.tools().clock->steady_ms() - begun_ms)});
  return product;
}

Result<Made> Workshop::keep(const StageWork& work, const asset::Product& product) {
  Made made;
  made.stage = work.stage;
  made.metrics = product.metrics;
  for (const auto& file : product.artifacts) {
    Artifact artifact;
    artifact.name = std::filesystem::path(file.path).filename().string();
    artifact.key = artifact_key(order_, work, artifact.name);
    artifact.media_type = file.media_type;
    artifact.bytes = static_cast<int64_t>(file.bytes);
    artifact.sha256 = file.sha256;
    WAYBILL_TRY(task_.store(file.path, {bucket_, artifact.key}, "the artifact", {artifact.media_type}));
    made.artifacts.push_back(std::move(artifact));
  }
  return made;
}

Result<Made> Workshop::make(asset::Stage stage, const std::vector<Made>& before) {
  const auto work = stage_work(order_, stage, before, provider_.model_version());
  WAYBILL_TRY_ASSIGN(auto earlier, claim(work));
  WAYBILL_TRY_ASSIGN(const bool is_made, is_whole(earlier));
  if (is_made) {
    task_.log("stage " + work.stage + " was made before, for job " + earlier.job_id);
    earlier.stage = work.stage;
    return earlier;
  }
  WAYBILL_TRY_ASSIGN(const auto product, run(work, before));
  return keep(work, product);
}

}  // namespace waybill::worker::assets
