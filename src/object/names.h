#pragma once

#include <string_view>

#include "base/result.h"

// S3's rules for the names of buckets and objects.
namespace waybill::object {

inline constexpr std::size_t bucket_name_bytes_min = 3;
inline constexpr std::size_t bucket_name_bytes_max = 63;
inline constexpr std::size_t key_bytes_max = 1024;

// Of a general purpose bucket. Refused (Error invalid) is what S3 refuses, reserved prefixes and suffixes
// too: a name that works here works there. Whether the name is taken is not asked here.
Status check_bucket_name(std::string_view name);

// A key is any UTF-8 of 1 to 1024 bytes. Dots, slashes and control characters are allowed as in S3: no path
// is ever made of a key, and a listing encodes what XML cannot hold. Error invalid where it is empty or not
// UTF-8, limit_exceeded where it is too long.
Status check_key(std::string_view key);

}  // namespace waybill::object
