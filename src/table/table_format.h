#pragma once

#include <cstdint>

namespace waybill::table {

// The version of the stored form that table_writer.cc writes and table_reader.cc reads.
inline constexpr int64_t format_version = 2;

}  // namespace waybill::table
