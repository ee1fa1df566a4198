#include "asset/built_in_provider.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "asset/digest.h"
#include "asset/files.h"
#include "asset/stage.h"
#include "asset/stages.h"
#include "base/utf8.h"

namespace waybill::asset {

namespace {

constexpr uint64_t picture_bytes_max = uint64_t{96} << 20;
constexpr uint64_t model_bytes_max = uint64_t{256} << 20;
constexpr uint64_t export_bytes_max = uint64_t{512} << 20;

enum class Needs : unsigned char { nothing, picture, model, all };

struct Work {
  Needs needs;
  Result<Made> (*make)(Request&);
  std::string_view suffix;
  std::string_view media_type;
};

// In the order of the stages.
constexpr std::array<Work, all_stages.size()> works = {{
    {Needs::nothing, text_to_image, ".png", png_media_type},
    {Needs::picture, refine, ".png", png_media_type},
    {Needs::picture, shape, ".glb", glb_media_type},
    {Needs::model, retopo, ".glb", glb_media_type},
    {Needs::model, rig, ".glb", glb_media_type},
    {Needs::model, anim, ".glb", glb_media_type},
    {Needs::all, export_files, ".zip", zip_media_type},
}};

Status check(const Task& task) {
  if (task.prompt.size() > prompt_bytes_max || !is_utf8(task.prompt)) {
    return invalid("the prompt must be UTF-8 of at most " + std::to_string(prompt_bytes_max) + " bytes");
  }
  if (task.inputs.size() > inputs_max) {
    return invalid("a task has at most " + std::to_string(inputs_max) + " inputs");
  }
  if (task.output_folder.empty()) {
    return invalid("the task says no output_folder");
  }
  for (const auto& input : task.inputs) {
    if (!input.stage.empty() && !stage_of(input.stage)) {
      return invalid("the input " + input.path + " is of a stage that does not exist");
    }
  }
  return {};
}

Result<std::vector<const Input*>> needed_inputs(const Task& task, Needs needs) {
  std::vector<const Input*> inputs;
  if (needs == Needs::nothing) {
    return inputs;
  }
  if (needs == Needs::all) {
    for (const auto& input : task.inputs) {
      inputs.push_back(&input);
    }
  } else {
    const auto wanted = needs == Needs::picture ? png_media_type : glb_media_type;
    const auto found = std::find_if(task.inputs.rbegin(), task.inputs.rend(),
                                    [&](const Input& input) { return input.media_type == wanted; });
    if (found == task.inputs.rend()) {
      return invalid("the stage " + task.stage + " needs an input of type " + std::string(wanted) +
                     "; run an earlier stage first");
    }
    inputs.push_back(&*found);
  }
  return inputs.empty() ? invalid("the stage " + task.stage + " needs an input; run an earlier stage first")
                        : Result<std::vector<const Input*>>(std::move(inputs));
}

Result<Source> load(const Input& input, uint64_t bytes_max) {
  Source source;
  source.stage = input.stage;
  source.name = std::filesystem::path(input.path).filename().string();
  source.media_type = input.media_type;
  source.metrics = input.metrics;
  WAYBILL_TRY_ASSIGN(source.bytes, read_file(input.path, bytes_max));
  source.sha256 = sha256_hex(source.bytes);
  if (!input.sha256.empty() && input.sha256 != source.sha256) {
    return invalid(input.path + " is not what the earlier stage has made: its SHA-256 is another");
  }
  return source;
}

Result<std::vector<Source>> load_all(const std::vector<const Input*>& inputs, Needs needs) {
  uint64_t left = needs == Needs::picture ? picture_bytes_max
                  : needs == Needs::model ? model_bytes_max
                                          : export_bytes_max;
  std::vector<Source> sources;
  for (const Input* const input : inputs) {
    WAYBILL_TRY_ASSIGN(auto source, load(*input, left));
    left -= source.bytes.size();
    sources.push_back(std::move(source));
  }
  return sources;
}

// Says which file it is that something is wrong with.
Error about(const std::vector<Source>& sources, Error error) {
  if (sources.size() == 1) {
    error.detail = sources.front().name;
  }
  return error;
}

}  // namespace

Result<Product> BuiltInProvider::run(const Task& task) {
  const auto stage = stage_of(task.stage);
  if (!stage) {
    return invalid("there is no stage " + task.stage);
  }
  WAYBILL_TRY(check(task));
  const Work& work = works[static_cast<std::size_t>(*stage)];
  WAYBILL_TRY_ASSIGN(const auto inputs, needed_inputs(task, work.needs));
  Request request;
  request.prompt = task.prompt;
  request.seed = task.seed;
  request.model_version = model_version();
  WAYBILL_TRY_ASSIGN(request.parameters, Parameters::read(task.parameters));
  WAYBILL_TRY_ASSIGN(request.sources, load_all(inputs, work.needs));
  auto made = work.make(request);
  if (!made) {
    return about(request.sources, std::move(made).error());
  }
  Artifact artifact;
  artifact.path =
      (std::filesystem::path(task.output_folder) / (std::string(name_of(*stage)) + std::string(work.suffix)))
          .string();
  artifact.media_type = work.media_type;
  artifact.bytes = made->bytes.size();
  artifact.sha256 = sha256_hex(made->bytes);
  WAYBILL_TRY(make_folder(task.output_folder));
  WAYBILL_TRY(write_file(artifact.path, made->bytes, entropy_));
  return Product{{std::move(artifact)}, std::move(made->metrics)};
}

}  // namespace waybill::asset
