#include "worker/assets_worker.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "asset/built_in_provider.h"
#include "base/json.h"
#include "http/uri.h"
#include "worker/assets/made.h"
#include "worker/assets/order.h"
#include "worker/assets/version.h"
#include "worker/assets/workshop.h"
#include "worker/trouble.h"

namespace waybill::worker {
namespace {

using assets::Made;
using assets::Order;

constexpr int64_t url_seconds = 7 * 24 * 3600;  // the longest that there is
constexpr int version_rounds_max = 8;           // others may make versions of the same asset
constexpr std::string_view done_status = "completed";

std::string quoted(std::string_view text) {
  std::string json;
  json::append_string(json, text);
  return json;
}

std::string encoded(std::string_view text) {
  std::string out;
  http::append_uri_encoded(out, text, false);
  return out;
}

// Errors of calls to the server about records other than the job itself.
Error record_trouble(const Error& error, const std::string& what) {
  switch (error.kind) {
    case ErrorKind::unavailable:
      return passing_trouble("SERVER_UNAVAILABLE", what + " cannot be written: " + error.message);
    case ErrorKind::quota_exceeded:
      return final_trouble("QUOTA_EXCEEDED", what + " is one too many: " + error.message);
    default:
      return final_trouble("RECORD_REFUSED", what + " is refused: " + error.message);
  }
}

Result<std::vector<Made>> stages_made(Task& task, const Order& order) {
  const auto list = task.jobs().get(
      task.records("step") + "?job_id=" + encoded(order.job_id) + "&order=oldest&limit=100", task.calling());
  if (!list) {
    return record_trouble(list.error(), "the list of steps");
  }
  return assets::read_made_list(*list);
}

assets::SignedUrl sign(Task& task, const assets::Workshop& workshop, const Made& made) {
  if (made.artifacts.empty()) {
    return {};
  }
  return {task.objects().presigned({workshop.bucket(), made.artifacts.front().key},
                                   {task.setting("url_endpoint"), url_seconds}),
          task.tools().clock->wall_ms() + url_seconds * 1000};
}

// Once for each stage of a job, however often it is tried.
Status add_version(Task& task, const Order& order, const Made& made, const assets::SignedUrl& url,
                   std::string_view model_version) {
  const auto path = task.records("asset") + "?project_id=" + encoded(order.project_id) +
                    "&asset_id=" + encoded(order.asset_id) + "&order=newest&limit=20";
  for (int round = 1;; ++round) {
    const auto list = task.jobs().get(path, task.calling());
    if (!list) {
      return record_trouble(list.error(), "the list of versions");
    }
    WAYBILL_TRY_ASSIGN(const auto plan, assets::plan_version(*list, order.job_id, made.stage));
    if (plan.is_there) {
      return {};
    }
    const auto created = task.jobs().create(
        task.records("asset"), assets::version_fields(order, made, plan.next, url, model_version), "",
        task.calling());
    if (created) {
      return {};
    }
    if (created.error().kind != ErrorKind::record_exists || round == version_rounds_max) {
      return record_trouble(created.error(), "the version of the asset");
    }
  }
}

// One line for each export, however often it is tried.
Status audit_export(Task& task, const Order& order, const Made& made) {
  const auto created = task.jobs().create(task.records("audit"), assets::export_line(order, made, "assets"),
                                          order.job_id + "/export", task.calling());
  if (!created && created.error().kind != ErrorKind::key_in_use) {
    return record_trouble(created.error(), "the line of the audit");
  }
  return {};
}

Result<Made> make_stage(Task& task, const Order& order, assets::Workshop& workshop, asset::Stage stage,
                        const std::vector<Made>& before, std::string_view model_version) {
  if (order.skips(stage)) {
    Made skipped;
    skipped.stage = asset::name_of(stage);
    skipped.metrics.push_back({"skipped", 1});
    return skipped;
  }
  task.log("stage " + std::string(asset::name_of(stage)) + " begins");
  WAYBILL_TRY_ASSIGN(auto made, workshop.make(stage, before));
  if (stage == asset::Stage::export_files) {
    WAYBILL_TRY(audit_export(task, order, made));
  }
  WAYBILL_TRY(add_version(task, order, made, sign(task, workshop, made), model_version));
  return made;
}

Result<Outcome> run_stages(Task& task, const Order& order, assets::Workshop& workshop,
                           std::string_view model_version) {
  WAYBILL_TRY_ASSIGN(const auto known, stages_made(task, order));
  std::vector<Made> before;
  for (const auto stage : asset::all_stages) {
    const std::string name(asset::name_of(stage));
    const Made* const earlier = assets::find(known, name);
    // Those before the cursor are done; so may be the last one, at which the cursor stays.
    if (stage < order.stage || (earlier != nullptr && earlier->status == done_status)) {
      if (earlier != nullptr) {
        before.push_back(*earlier);
      }
      continue;
    }
    if (task.stop().stop_requested()) {
      return passing_trouble("STOPPED", "the worker was stopped between two stages");
    }
    WAYBILL_TRY_ASSIGN(auto made, make_stage(task, order, workshop, stage, before, model_version));
    if (order.review.contains(name)) {
      return Outcome(Paused{quoted(name), assets::step_fields(made)});
    }
    WAYBILL_TRY(task.step(quoted(name), assets::step_fields(made), ""));
    before.push_back(std::move(made));
  }
  return Outcome(Done{});
}

}  // namespace

Result<Outcome> AssetsWorker::work(Task& task) const {
  WAYBILL_TRY_ASSIGN(const auto order, assets::read_order(task.job().record()));
  auto bucket = task.setting("bucket");
  if (bucket.empty()) {
    return final_trouble("NO_BUCKET", "the contract does not tell the worker its bucket");
  }
  if (task.job().text("asset_id").empty()) {
    WAYBILL_TRY(task.progress(R"({"asset_id":)" + quoted(order.asset_id) + "}"));
  }
  asset::BuiltInProvider provider(*task.tools().entropy);
  assets::Workshop workshop(task, order, provider, std::move(bucket));
  return run_stages(task, order, workshop, provider.model_version());
}

}  // namespace waybill::worker
