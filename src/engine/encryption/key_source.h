#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "engine/encryption/key_ring.h"

namespace waybill::engine::encryption {

inline constexpr const char* key_variable = "WAYBILL_ENCRYPTION_KEY";

// Reads the keys in a file that only its owner can read. The error names the file and says what to do.
Result<KeyRing> read_key_file(const std::string& path);

// Takes the keys out of the environment: the variable is wiped and gone afterwards, so that neither a look
// at /proc nor a child shows it. Nothing where it is not set. To be called before threads are started.
Result<std::optional<KeyRing>> take_environment_keys();

}  // namespace waybill::engine::encryption
