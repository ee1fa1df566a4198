#pragma once

#include <array>
#include <string>
#include <string_view>

#include "item/value.h"

// Audit trails: lines that are only ever added, each with the hash of the one before, so that none can be
// changed, taken away or put in between without being noticed.
namespace waybill::rules {

// What a trail begins with.
inline constexpr std::string_view first_hash =
    "0000000000000000000000000000000000000000000000000000000000000000";

// SHA-256 in hexadecimal of the hash before and the line's attributes in order of their names, without
// `hash`.
std::string hash_of_line(std::string_view previous, item::ItemView line);

// What the system adds to a line of its own; clients' lines have none of them.
inline constexpr std::array<std::string_view, 3> chain_attributes = {"number", "previous", "hash"};

// Lower-case hexadecimal.
std::string sha256_hex(std::string_view bytes);

}  // namespace waybill::rules
