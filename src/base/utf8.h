#pragma once

#include <string_view>

namespace waybill {

// Whether the bytes are UTF-8: what is not can stand in no JSON.
bool is_utf8(std::string_view bytes);

}  // namespace waybill
