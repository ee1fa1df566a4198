#pragma once

#include <string_view>

namespace waybill {

// One line each to standard error: time, level, text. Bytes that could forge a line are escaped.
//
// Thread safety: every function may be called from any thread.
void log_info(std::string_view text);
void log_warning(std::string_view text);
void log_error(std::string_view text);

}  // namespace waybill
