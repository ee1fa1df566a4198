#pragma once

#include <string>
#include <string_view>

namespace waybill::job {

// SHA-256: 32 bytes.
std::string sha256(std::string_view bytes);

}  // namespace waybill::job
