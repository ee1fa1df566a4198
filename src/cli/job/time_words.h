#pragma once

#include <cstdint>
#include <string>

namespace waybill::cli::job {

// How long ago a time was, or how far ahead it is, in its largest unit: "now", "12s ago", "3m ago", "in 2h",
// "40d ago", "2y ago". Both in milliseconds since 1970.
std::string age_words(int64_t at_ms, int64_t now_ms);

}  // namespace waybill::cli::job
