#include <map>
#include <string>

#include "cli/tour/stations.h"

namespace waybill::cli::tour {
namespace {

// A review behind the picture; the rest goes by itself.
std::string fields_of_job(const std::string& project) {
  std::string fields;
  json::Writer writer(fields);
  writer.begin_object().key("project_id").string(project).key("asset_type").string("3D_CHARACTER");
  writer.key("prompt").string("a small red robot").key("seed").integer(7);
  writer.key("review").begin_array().string("refine").end_array().end_object();
  return fields;
}

Status tell_steps(Guide& guide, const std::string& job_id) {
  WAYBILL_TRY_ASSIGN(const auto steps,
                     guide.get("/v1/asset-creator/step?order=oldest&limit=100&job_id=" + job_id));
  const auto items = steps.fields().find("items");
  if (!items || !items->is_array()) {
    return {};
  }
  std::map<std::string, std::string> by_time;  // the list is by name
  for (json::Elements each(*items); each.next();) {
    std::string& line = by_time[text_in(each.value(), "ts")];
    line = text_in(each.value(), "step_name");
    if (const auto artifacts = each.value().find("artifacts"); artifacts && artifacts->is_array()) {
      for (json::Elements files(*artifacts); files.next();) {
        line += "  " + text_in(files.value(), "bytes") + " bytes, " + text_in(files.value(), "key");
      }
    }
  }
  for (const auto& [time, line] : by_time) {
    guide.tell("stage", line);
  }
  return {};
}

// The archive, by the URL that its last version has.
Status tell_last_version(Guide& guide, const std::string& project, const std::string& asset) {
  WAYBILL_TRY_ASSIGN(
      const auto versions,
      guide.get("/v1/asset-creator/asset?order=newest&limit=1&project_id=" + project + "&asset_id=" + asset));
  const auto items = versions.fields().find("items");
  if (items && items->is_array()) {
    for (json::Elements each(*items); each.next();) {
      guide.tell("version", text_in(each.value(), "version") + " of " + asset);
      guide.tell("signed URL", text_in(each.value(), "cdn_url"));
    }
  }
  return {};
}

}  // namespace

Status show_asset_creator(Guide& guide) {
  WAYBILL_TRY(guide.expect_worker("asset-creator"));
  const std::string project = "prj_" + guide.new_word();
  WAYBILL_TRY_ASSIGN(const auto job, guide.create("/v1/asset-creator/job", fields_of_job(project)));
  const std::string id = job.text("job_id");
  const std::string path = "/v1/asset-creator/job/" + project + "," + id;
  guide.tell(job.text("status"), "job " + id + " of project " + project);
  WAYBILL_TRY_ASSIGN(const auto paused, guide.wait_for(path, "status", {"paused", "failed"}));
  if (paused.text("status") == "paused") {
    WAYBILL_TRY(guide.create(path + ":approve", R"({"why":"a fine robot"})"));
    guide.tell("approved", "the picture; a person could have rejected it");
  }
  WAYBILL_TRY_ASSIGN(const auto ended, guide.wait_for(path, "status", {"completed", "failed"}));
  WAYBILL_TRY(tell_steps(guide, id));
  if (ended.text("status") == "failed") {
    const auto error = ended.fields().find("error");
    return Error{ErrorKind::internal, error ? text_in(*error, "message") : "the asset could not be made", {}};
  }
  WAYBILL_TRY(tell_last_version(guide, project, ended.text("asset_id")));
  return guide.tell_history(path);
}

}  // namespace waybill::cli::tour
