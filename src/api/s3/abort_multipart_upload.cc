#include "api/s3/operations.h"

namespace waybill::api::s3 {

void abort_multipart_upload(Call call) {
  const Request& request = call.request();
  const auto upload = call.buckets().need_upload(request.bucket, request.key, request.parameter("uploadId"));
  const auto aborted = upload ? call.buckets().abort_upload(*upload) : Status(upload.error());
  if (!aborted) {
    call.fail(aborted.error());
    return;
  }
  call.answer_empty(204);
}

}  // namespace waybill::api::s3
