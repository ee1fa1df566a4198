#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

// What can stand against operations on buckets and objects. The detail of each is the service's own code for
// it, "NoSuchKey": kinds alone do not tell a missing bucket from a missing object.
namespace waybill::bucket {

Error no_such_bucket();
Error no_such_key();
Error no_such_upload();
Error bucket_exists();
Error bucket_not_empty();
Error precondition_failed(std::string_view condition);  // "If-Match"
Error too_large(uint64_t bytes_max);
Error invalid_part();
Error invalid_part_order();
Error part_too_small();

// All that there is to know of an error, for the operator's log.
std::string for_log(const Error& error);

// `code` of the service, for what breaks a rule of it.
Error refusal(std::string_view code, std::string_view message);

}  // namespace waybill::bucket
