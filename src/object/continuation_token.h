#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "object/list_fold.h"

namespace waybill::object {

// Where a listing goes on, as text that clients give back unread:
//
//   token := base64(version kind text crc32c)
//   version := 1, kind := 1 behind a key | 2 behind a common prefix, crc32c over all before it
//
// The check is against tokens that were cut or made up, not a secret: a token says no more than start-after
// can.
std::string make_continuation_token(const ListPosition& position);

// Error invalid for what make_continuation_token did not make.
Result<ListPosition> read_continuation_token(std::string_view token);

}  // namespace waybill::object
