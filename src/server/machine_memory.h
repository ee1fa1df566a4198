#pragma once

#include <cstdint>
#include <string>

namespace waybill::server {

// The memory this process may use: the machine's, or the limit of its control group where that is lower.
// `root` stands before the paths that are read, for tests.
uint64_t machine_memory_bytes(const std::string& root = "");

// What the store takes for itself where nobody says: three fifths of that, and 256 MiB at least.
uint64_t default_store_memory_mb(uint64_t machine_bytes);

}  // namespace waybill::server
