#pragma once

#include <string_view>

namespace waybill::text {

// A text without a safe place for so many bytes is cut all the same: no word is longer.
inline constexpr std::size_t stretch_bytes_max = 65'536;

// Where to cut `text`, which has more than stretch_bytes_max bytes, so that the words of both parts together
// are those of the whole: the last such place within stretch_bytes_max. It is between a character that is
// never part of a word and one that does not lean on the one before. Where there is none, the last beginning
// of a character within stretch_bytes_max. Depends on nothing behind stretch_bytes_max but the one character
// that begins there.
std::size_t last_safe_cut(std::string_view text);

}  // namespace waybill::text
