#pragma once

#include <string>
#include <string_view>

namespace waybill::asset {

std::string sha256(std::string_view bytes);      // 32 bytes
std::string sha256_hex(std::string_view bytes);  // lower case

}  // namespace waybill::asset
