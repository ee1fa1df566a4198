#include <string>

#include "cli/tour/picture.h"
#include "cli/tour/stations.h"

namespace waybill::cli::tour {
namespace {

constexpr const char* temp_bucket = "photoeditor-dev-temp";
constexpr const char* final_bucket = "photoeditor-dev-final";

std::string fields_of(const std::string& key, std::size_t bytes) {
  std::string fields;
  json::Writer writer(fields);
  writer.begin_object().key("userId").string("tour").key("provider").string("stub");
  writer.key("fileSize").integer(static_cast<int64_t>(bytes)).key("fileType").string("image/png");
  writer.key("originalFileName").string("dusk.png").key("s3TempKey").string(key);
  writer.key("correlationId").string("tour").end_object();
  return fields;
}

std::string labels_in(const json::Value& analysis) {
  constexpr double percent = 100;
  std::string text;
  const auto labels = analysis.find("labels");
  if (!labels || !labels->is_array()) {
    return text;
  }
  for (json::Elements each(*labels); each.next();) {
    const auto confidence = each.value().find("confidence");
    text += (text.empty() ? "" : ", ") + text_in(each.value(), "name") + " " +
            std::to_string(static_cast<int>(percent * (confidence ? confidence->number() : 0))) + " %";
  }
  return text;
}

}  // namespace

Status show_photo_editor(Guide& guide) {
  WAYBILL_TRY(guide.expect_worker("photo-editor"));
  const std::string picture = make_picture();
  const std::string key = "tour/" + guide.new_word() + ".png";
  WAYBILL_TRY(guide.upload({temp_bucket, key}, picture, "image/png"));
  WAYBILL_TRY_ASSIGN(const auto job, guide.create("/v1/photo-editor/job", fields_of(key, picture.size())));
  guide.tell(job.text("status"), "job " + job.text("jobId"));
  const std::string path = "/v1/photo-editor/job/" + job.text("jobId");
  WAYBILL_TRY_ASSIGN(const auto ended, guide.wait_for(path, "status", {"COMPLETED", "FAILED"}));
  const auto edit = ended.fields().find("editResult");
  if (!edit) {
    const auto error = ended.fields().find("error");
    return Error{
        ErrorKind::internal, error ? text_in(*error, "message") : "the photo could not be edited", {}};
  }
  if (const auto analysis = ended.fields().find("analysisResult")) {
    guide.tell("labels", labels_in(*analysis));
    guide.tell("description", text_in(*analysis, "description"));
  }
  guide.tell("edited",
             text_in(*edit, "width") + " x " + text_in(*edit, "height") + " " + text_in(*edit, "format"));
  WAYBILL_TRY(guide.look_at("result", {final_bucket, text_in(*edit, "s3Key")}));
  return guide.tell_history(path);
}

}  // namespace waybill::cli::tour
