#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "table/range.h"

// Where a list goes on, as clients carry it around: bound to the list it is of.
//
//   cursor  := base64url( binding place )
//   binding := the first eight bytes of a hash of what is listed
//   place   := a key of the store's
namespace waybill::job {

// `list` says what is listed, in any words that tell it from other lists.
std::string print_cursor(std::string_view list, std::string_view place);

// The place; "" for an empty text. Error invalid where it is none, or of another list.
Result<std::string> parse_cursor(std::string_view list, std::string_view text);

// Lets the range of a list go on behind a cursor's place, where it is not "". Anybody can make a cursor: one
// that leads out of the range is none of this list.
Status resume(table::KeyRange& keys, std::string_view list, std::string_view text, bool forward);

}  // namespace waybill::job
