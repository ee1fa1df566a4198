#pragma once

#include <string_view>

namespace waybill::expression {

// Whether `word`, in either case, is one of the 573 words that expressions must not use as names.
bool is_reserved(std::string_view word);

}  // namespace waybill::expression
