#include <algorithm>

#include "api/s3/object_headers.h"
#include "api/s3/operations.h"
#include "object/multipart.h"

namespace waybill::api::s3 {
namespace {

// What was looked at when the head came is looked at again in the commit.
void finish_put_object(Call call, const object::StoredContent& content) {
  const Request& request = call.request();
  auto description = read_description(request);
  if (!description) {
    call.fail(description.error());
    return;
  }
  const bucket::NewObject target{request.bucket, request.key, *std::move(description),
                                 read_conditions(request)};
  const auto row = call.buckets().put_object(target, content);
  if (!row) {
    call.fail(row.error());
    return;
  }
  http::Response response;
  response.headers.emplace_back("ETag", etag_header(row->etag));
  if (row->checksum) {
    add_checksum_header(*row->checksum, response);
  }
  call.answer(std::move(response));
}

}  // namespace

Result<ContentPlan> open_put_object(const Call& call) {
  const Request& request = call.request();
  WAYBILL_TRY_ASSIGN(const auto description, read_description(request));
  WAYBILL_TRY_ASSIGN(const auto bucket, call.buckets().need_bucket(request.bucket));
  WAYBILL_TRY(bucket::check_limits(bucket, description.content_type(), std::nullopt));
  const uint64_t bytes_max =
      std::min(bucket.limits.bytes_max.value_or(object::part_bytes_max), object::part_bytes_max);
  return plan_content(call, {bytes_max, object::ChecksumAlgorithm::crc64nvme}, finish_put_object);
}

}  // namespace waybill::api::s3
