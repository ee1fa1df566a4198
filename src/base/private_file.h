#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace waybill {

// The contents of a small file that holds secrets. Refused where others than its owner can get at it, where
// it is not a regular file, and where it has more than `bytes_max` bytes. `name` stands in the messages:
// "keys file /etc/waybill/keys.json".
Result<std::string> read_private_file(const std::string& path, const std::string& name,
                                      std::size_t bytes_max);

}  // namespace waybill
