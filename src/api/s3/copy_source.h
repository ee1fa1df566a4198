#pragma once

#include <string>

#include "api/s3/call.h"
#include "bucket/object_row.h"

namespace waybill::api::s3 {

// The object that x-amz-copy-source names, as the caller may read it and its conditions allow. Error invalid
// where the header names none; not_found; access_denied; condition_failed.
Result<bucket::ObjectRow> find_copy_source(const Call& call);

}  // namespace waybill::api::s3
