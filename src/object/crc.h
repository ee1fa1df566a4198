#pragma once

#include <cstdint>
#include <string_view>

#include "base/crc32c.h"

// The three cyclic redundancy checks that S3 knows. Each function goes on from `crc`, which is 0 for nothing
// yet, so that bytes may come in pieces of any length.
//
// Thread safety: every function may be called from any thread.
namespace waybill::object {

uint32_t crc32(uint32_t crc, std::string_view bytes);
using waybill::crc32c;
uint64_t crc64nvme(uint64_t crc, std::string_view bytes);

// The check of two texts one behind the other, from the check of each and the length of the second: a few
// microseconds, however long they are.
uint32_t combine_crc32(uint32_t first, uint32_t second, uint64_t second_bytes);
uint32_t combine_crc32c(uint32_t first, uint32_t second, uint64_t second_bytes);
uint64_t combine_crc64nvme(uint64_t first, uint64_t second, uint64_t second_bytes);

}  // namespace waybill::object
