#include "api/s3/operations.h"

namespace waybill::api::s3 {

void head_bucket(Call call) {
  if (const auto bucket = call.buckets().need_bucket(call.request().bucket); !bucket) {
    call.fail(bucket.error());
    return;
  }
  http::Response response;
  response.headers.emplace_back("x-amz-bucket-region", call.services().region);
  call.answer(std::move(response));
}

}  // namespace waybill::api::s3
