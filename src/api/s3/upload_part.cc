#include "api/s3/upload_part.h"

#include <algorithm>

#include "api/s3/object_headers.h"
#include "api/s3/operations.h"
#include "bucket/errors.h"
#include "object/multipart.h"

namespace waybill::api::s3 {
namespace {

void finish_upload_part(Call call, const object::StoredContent& content) {
  const auto target = find_part_target(call);
  if (!target) {
    call.buckets().discard(content.id);
    call.fail(target.error());
    return;
  }
  const auto part = call.buckets().put_part(target->upload, target->number, content);
  if (!part) {
    call.fail(part.error());
    return;
  }
  http::Response response;
  response.headers.emplace_back("ETag", etag_header(part->md5));
  if (part->checksum) {
    response.headers.emplace_back(object::header_of(part->checksum->algorithm), part->checksum->text);
  }
  call.answer(std::move(response));
}

}  // namespace

Result<PartTarget> find_part_target(const Call& call) {
  const Request& request = call.request();
  if (request.parameter("partNumber").empty()) {
    return bucket::refusal("InvalidArgument",
                           "Part number must be an integer between 1 and 10000, inclusive");
  }
  WAYBILL_TRY_ASSIGN(const auto number, request.number("partNumber", 1, object::part_number_max, 1));
  WAYBILL_TRY_ASSIGN(const auto bucket, call.buckets().need_bucket(request.bucket));
  WAYBILL_TRY_ASSIGN(auto upload,
                     call.buckets().need_upload(request.bucket, request.key, request.parameter("uploadId")));
  const uint64_t bytes_max =
      std::min(bucket.limits.bytes_max.value_or(object::part_bytes_max), object::part_bytes_max);
  return PartTarget{std::move(upload), static_cast<int>(number), bytes_max};
}

Result<ContentPlan> open_upload_part(const Call& call) {
  WAYBILL_TRY_ASSIGN(const auto target, find_part_target(call));
  BodyLimits limits;
  limits.bytes_max = target.bytes_max;
  if (target.upload.checksum) {
    limits.algorithm = target.upload.checksum->algorithm;
  }
  return plan_content(call, limits, finish_upload_part);
}

}  // namespace waybill::api::s3
