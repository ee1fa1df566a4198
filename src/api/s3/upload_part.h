#pragma once

#include "api/s3/call.h"
#include "bucket/upload_row.h"

// What the two ways to bring a part have in common.
namespace waybill::api::s3 {

struct PartTarget {
  bucket::UploadRow upload;
  int number = 0;
  uint64_t bytes_max = 0;
};

// Error invalid where the number is none, not_found where there is no such upload.
Result<PartTarget> find_part_target(const Call& call);

}  // namespace waybill::api::s3
