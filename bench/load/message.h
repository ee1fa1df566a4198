#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "load/out_buffer.h"

namespace waybill::load {

inline constexpr std::size_t message_bytes_min = 64;
inline constexpr std::size_t message_bytes_max = 32 * 1024;

// Appends the text of message `number`, of exactly `bytes` bytes: a jobId, its own size, and words. It
// follows from its number and size alone, so that any message can be checked without remembering what was
// sent, and holds nothing that JSON would escape.
void add_message_text(OutBuffer& out, uint64_t number, std::size_t bytes);

// The number of the message whose text begins like `text`, or nullopt where none does.
std::optional<uint64_t> message_number_of(std::string_view text);

// Whether `text` is what add_message_text() wrote, to the last byte.
Status check_message_text(std::string_view text);

// In lower case hexadecimal digits.
std::string md5_of(std::string_view text);

}  // namespace waybill::load
