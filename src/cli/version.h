#pragma once

namespace waybill::cli {

inline constexpr const char* version = "0.1.0";

}  // namespace waybill::cli
