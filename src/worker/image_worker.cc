#include "worker/image_worker.h"

#include <algorithm>
#include <utility>

#include "base/json.h"
#include "media/limits.h"
#include "worker/trouble.h"

namespace waybill::worker {
namespace {

constexpr int64_t quality_default = 85;

// Where an image comes from and goes to.
struct Places {
  client::ObjectName original;
  client::ObjectName image;
  client::ObjectName thumbnail;
};

Result<Places> read_places(const Task& task) {
  const std::string bucket(task.job().text("s3Bucket"));
  Places places{{bucket, task.setting("original")},
                {bucket, std::string(task.job().text("s3Key"))},
                {bucket, std::string(task.job().text("thumbnailKey"))}};
  if (bucket.empty() || places.original.key.empty() || places.image.key.empty() ||
      places.thumbnail.key.empty()) {
    return final_trouble("OBJECT_MISSING",
                         "the record does not say where its files are: it needs s3Bucket, s3Key and "
                         "thumbnailKey, and the contract tells the worker \"original\"");
  }
  return places;
}

}  // namespace

std::string image_fields(const media::Converted& converted) {
  std::string fields;
  json::Writer writer(fields);
  writer.begin_object();
  writer.key("width").integer(converted.original.width);
  writer.key("height").integer(converted.original.height);
  writer.key("fileSize").integer(converted.original.bytes);
  writer.key("mimeType").string(media::mime_type_of(converted.original.format));
  writer.key("processedSize").integer(converted.image.bytes);
  writer.key("format").string(media::name_of(converted.image.format));
  writer.end_object();
  return fields;
}

Result<Outcome> ImageWorker::work(Task& task) const {
  WAYBILL_TRY_ASSIGN(const auto places, read_places(task));
  media::ConvertTask convert;
  convert.input = task.file("original");
  convert.image = task.file("image.webp");
  convert.thumbnail = task.file("thumbnail.webp");
  convert.quality =
      static_cast<int>(std::clamp<int64_t>(task.job().integer("quality").value_or(quality_default), 1, 100));
  WAYBILL_TRY(task.fetch(places.original, convert.input, "the upload",
                         {.bytes_max = media::Limits().input_bytes_max}));
  const auto converted = task.tools().studio->convert(convert);
  if (!converted) {
    return image_trouble(converted.error());
  }
  const client::PutOptions webp{std::string(media::mime_type_of(media::Format::webp))};
  WAYBILL_TRY(task.store(convert.image, places.image, "the image", webp));
  WAYBILL_TRY(task.store(convert.thumbnail, places.thumbnail, "the thumbnail", webp));
  return Outcome(Done{image_fields(*converted)});
}

}  // namespace waybill::worker
