#pragma once

#include "api/s3/call.h"
#include "api/s3/content_plan.h"

// The operations of S3 that are here, one file each.
namespace waybill::api::s3 {

// By method, by what the path names, and by the parameters that choose. Null where there is none such. It
// lives as long as the process.
const NamedOperation* find_operation(const Request& request);

void abort_multipart_upload(Call call);
void complete_multipart_upload(Call call);
void copy_object(Call call);
void create_bucket(Call call);
void create_multipart_upload(Call call);
void delete_bucket(Call call);
void delete_object(Call call);
void delete_objects(Call call);
void get_bucket_location(Call call);
void get_bucket_versioning(Call call);
void get_object(Call call);
void head_bucket(Call call);
void list_buckets(Call call);
void list_multipart_uploads(Call call);
void list_objects(Call call);
void list_objects_v2(Call call);
void list_parts(Call call);
void upload_part_copy(Call call);

Result<ContentPlan> open_put_object(const Call& call);
Result<ContentPlan> open_upload_part(const Call& call);

}  // namespace waybill::api::s3
