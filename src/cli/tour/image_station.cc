#include <string>

#include "cli/tour/picture.h"
#include "cli/tour/stations.h"

namespace waybill::cli::tour {
namespace {

std::string fields_of(std::size_t bytes) {
  std::string fields;
  json::Writer writer(fields);
  writer.begin_object().key("userId").string("tour").key("albumId").string("dusk");
  writer.key("originalFilename").string("dusk.png").key("mimeType").string("image/png");
  writer.key("fileSize").integer(static_cast<int64_t>(bytes));
  writer.key("tags").begin_array().string("hills").string("dusk").end_array().end_object();
  return fields;
}

}  // namespace

Status show_image_service(Guide& guide) {
  WAYBILL_TRY(guide.expect_worker("image-service"));
  const std::string picture = make_picture();
  WAYBILL_TRY_ASSIGN(const auto image, guide.create("/v1/image-service/image", fields_of(picture.size())));
  const std::string id = image.text("id");
  const std::string bucket = image.text("s3Bucket");
  guide.tell(image.text("processingStatus"), "it waits for its upload");
  WAYBILL_TRY(guide.upload({bucket, "uploads/tour/" + id}, picture, "image/png"));
  const std::string path = "/v1/image-service/image/" + id;
  WAYBILL_TRY_ASSIGN(const auto ended, guide.wait_for(path, "processingStatus", {"completed", "failed"}));
  if (ended.text("processingStatus") == "failed") {
    return Error{ErrorKind::internal, ended.text("processingError"), {}};
  }
  guide.tell("dimensions", ended.text("width") + " x " + ended.text("height") + ", aspect ratio " +
                               ended.text("aspectRatio"));
  WAYBILL_TRY(guide.look_at("image", {bucket, ended.text("s3Key")}));
  WAYBILL_TRY(guide.look_at("thumbnail", {bucket, ended.text("thumbnailKey")}));
  guide.tell("by tag", guide.endpoint() + "/v1/image-service/image?userId=tour&tag=dusk");
  return guide.tell_history(path);
}

}  // namespace waybill::cli::tour
