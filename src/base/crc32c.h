#pragma once

#include <cstdint>
#include <string_view>

namespace waybill {

// The CRC-32C of what `crc` stands for followed by `bytes`; 0 stands for nothing. By the processor's own
// instruction where it has one.
//
// Thread safety: any thread.
uint32_t crc32c(uint32_t crc, std::string_view bytes);

// Whether the processor computes it. Without, it comes from a table.
bool has_crc32c_instruction();

}  // namespace waybill
