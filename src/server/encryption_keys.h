#pragma once

#include <memory>

#include "base/result.h"
#include "engine/encryption/key_door.h"
#include "server/config.h"

namespace waybill::server {

// The keys to encrypt the data with, from the file that `config` names or from the environment; null where
// there are none. What is in the environment is wiped: to be called once, before threads are started.
Result<std::unique_ptr<engine::encryption::KeyDoor>> find_encryption_keys(const Config& config);

// Reads the file again and gives its keys to the open store; the log says how it went.
void reload_encryption_keys(const Config& config, engine::encryption::KeyDoor* door);

}  // namespace waybill::server
