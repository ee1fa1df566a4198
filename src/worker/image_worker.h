#pragma once

#include "media/tasks.h"
#include "worker/worker.h"

namespace waybill::worker {

// Makes of an uploaded image what an image service shows: a WebP and a thumbnail. The contract tells under
// `original` the key of the upload, which lies in the record's s3Bucket; the results go there as well, as
// s3Key and thumbnailKey say.
class ImageWorker final : public Worker {
 public:
  Result<Outcome> work(Task& task) const override;
};

// {"width":…,"height":…,"fileSize":…,"mimeType":"image/png","processedSize":…,"format":"webp"}: what the
// original is, whatever its uploader said of it, and what became of it.
std::string image_fields(const media::Converted& converted);

}  // namespace waybill::worker
